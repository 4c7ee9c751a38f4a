import { expect, test } from 'vitest'
import { type Pacer, plannedMicros, remainingMicros, sumUp, utilizationPercent } from './pacer.ts'

const NOON = { elapsedSeconds: 43_200, lengthSeconds: 86_400 }

const pacer = (dailyMicros: bigint | null, spentMicros: bigint) =>
  ({ dailyMicros, spentMicros, progress: NOON }) as Pacer

test.each([
  [null, 5n, null],
  [10n, 3n, 7n],
  [10n, 10n, 0n],
  [10n, 12n, 0n],
])('of a daily budget of %s with %s spent, %s remains', (daily, spent, remaining) => {
  expect(remainingMicros(pacer(daily, spent))).toBe(remaining)
})

test('the planned spend is the share of the day that has passed, rounded down', () => {
  expect(plannedMicros(pacer(101n, 0n))).toBe(50n)
  expect(plannedMicros(pacer(null, 0n))).toBeNull()
})

test.each([
  [null, 5n, 0],
  [0n, 5n, 0],
  [300n, 100n, 33.33],
  [100n, 250n, 250],
])('of a daily budget of %s, a spend of %s is %s %%', (daily, spent, percent) => {
  expect(utilizationPercent(pacer(daily, spent))).toBe(percent)
})

const euros = {
  currency: 'EUR',
  campaigns: 3,
  dailyMicros: 30n,
  spentMicros: 10n,
  percents: 100,
  exceeded: 1,
}

test('statistics average the percentages of campaigns, with two decimals', () => {
  expect(sumUp([euros])).toEqual({
    campaigns: 3,
    dailyMicros: 30n,
    spentMicros: 10n,
    averagePercent: 33.33,
    exceeded: 1,
  })
  expect(sumUp([])).toEqual({
    campaigns: 0,
    dailyMicros: 0n,
    spentMicros: 0n,
    averagePercent: 0,
    exceeded: 0,
  })
})

test('statistics never add amounts of two currencies', () => {
  const dollars = { ...euros, currency: 'USD', campaigns: 1, percents: 20, exceeded: 0 }

  expect(sumUp([euros, dollars])).toEqual({
    campaigns: 4,
    dailyMicros: undefined,
    spentMicros: undefined,
    averagePercent: 30,
    exceeded: 1,
  })
})
