import { expect, test } from 'vitest'
import { requestsPerWindow } from './auctions.ts'
import { countedTraffic, forecastTraffic } from './traffic-forecast.ts'
import { marketDay } from '../testing/market.ts'

const usual = requestsPerWindow(marketDay({ count: 10_000, seed: 1 }))
const forecast = forecastTraffic([usual, usual])
const seenBy = (day: Float64Array, window: number) =>
  day.slice(0, window).reduce((sum, requests) => sum + requests, 0)

test('on a usual day, the forecast is the traffic that was left on past days', () => {
  for (const window of [0, 20, 48, 90]) {
    const seen = seenBy(usual, window)
    const ratio = forecast.left(window, seen) / (10_000 - seen)
    expect(ratio).toBeGreaterThan(0.9)
    expect(ratio).toBeLessThan(1.2)
  }
})

test('a day with half the traffic so far has less left, but more than half: it may be late', () => {
  const seen = seenBy(usual, 48)
  const left = forecast.left(48, seen / 2)

  expect(left).toBeLessThan(10_000 - seen / 2)
  expect(left).toBeGreaterThan((10_000 - seen) / 2)
})

test('if past days differed in size, the traffic so far has more weight', () => {
  const steady = forecastTraffic([usual, usual, usual])
  const restless = forecastTraffic([usual, usual.map((n) => n / 2), usual.map((n) => 2 * n)])
  const drop = (one: typeof steady) => {
    const expected = one.expectedBy(60)
    return one.left(60, expected / 2) / one.left(60, expected)
  }

  expect(drop(restless)).toBeLessThan(drop(steady))
})

test('the forecast is always positive and finite', () => {
  for (const seen of [0, 10_000, 50_000, 1e7]) {
    for (const window of [1, 50, 95, 96]) {
      const left = forecast.left(window, seen)
      expect(left).toBeGreaterThanOrEqual(1)
      expect(Number.isFinite(left)).toBe(true)
    }
  }
})

test('known traffic is counted down', () => {
  expect(countedTraffic(1_000).left(400, 400)).toBe(600)
})
