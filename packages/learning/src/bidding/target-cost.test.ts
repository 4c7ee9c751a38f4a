import { describe, expect, test } from 'vitest'
import { normalDraw, seededDraws } from '../random.ts'
import { marketDay } from '../testing/market.ts'
import { type Auctions, requestsPerWindow } from './auctions.ts'
import { agentOf, type CampaignTerms, historyOf, type PastDay, replayPast } from './campaign-day.ts'
import { replayDay } from './replay.ts'
import { forecastTraffic } from './traffic-forecast.ts'
import {
  type CostTarget,
  inConversions,
  lnWithinCost,
  NEVER_WON,
  worthWithin,
} from './target-cost.ts'

/** Days of a market in which every click is worth another chance of a purchase. */
const days: PastDay[] = [1, 2, 3, 4, 5, 6].map((seed) => {
  const auctions = marketDay({ count: 6_000, seed })
  const draws = seededDraws(seed + 100)
  const conversionRates = auctions.pctr.map(() => 0.03 * Math.exp(0.8 * normalDraw(draws)))
  return { auctions, conversionRates, sampledShare: 1, deliveredShare: 1 }
})
const [today, ...others] = days as [PastDay, ...PastDay[]]

/** Booked at 30,000 per click: most auctions are won, at a price per purchase that the market asks. */
const BOOKED = 30_000
const termsWith = (target: CostTarget, budget = 1e9): CampaignTerms => ({
  budget,
  bookedK: BOOKED,
  multiplierMin: 0.1,
  multiplierMax: 1,
  isSmooth: false,
  usualSpend: 0,
  target,
})

const targetOf = (micros: number, aimedMicros = micros): CostTarget => ({
  micros,
  aimedMicros,
  clickMicrosMax: BOOKED,
  stepMicros: 0,
})

function play(target: CostTarget, budget?: number) {
  const terms = termsWith(target, budget)
  const { curve, requests } = historyOf(others, target)
  const rules = { budget: terms.budget, bidMax: 2 ** 31 - 2, traffic: forecastTraffic(requests) }
  const agent = agentOf('tcpa', terms, { curve })
  return replayDay(inConversions(today.auctions, today.conversionRates!, target), agent, rules)
}

/** What booked bids pay per purchase. */
const bookedCost = (() => {
  let [spend, value] = [0, 0]
  const { auctions, conversionRates } = today
  for (let at = 0; at < auctions.count; at++) {
    if (auctions.price[at]! > BOOKED * auctions.pctr[at]!) continue
    spend += auctions.price[at]!
    value += auctions.pctr[at]! * conversionRates![at]!
  }
  return { spend, value, each: spend / value }
})()

describe('bids by target', () => {
  test.each([0.5, 0.7, 0.85])('meet %d of what booked bids pay per purchase', (share) => {
    const target = share * bookedCost.each
    const { spend, value } = play(targetOf(target))

    expect(spend / value / target).toBeGreaterThan(0.9)
    expect(spend / value / target).toBeLessThan(1.1)
  })

  test('buy more purchases than booked bids from the same money', () => {
    const { spend, value } = play(targetOf(0.7 * bookedCost.each))
    const bookedShare = spend / bookedCost.spend

    expect(value).toBeGreaterThan(1.2 * bookedShare * bookedCost.value)
  })

  test('stay within the budget, and then pay less per purchase than the target allows', () => {
    const target = 0.85 * bookedCost.each
    const budget = Math.floor(0.3 * play(targetOf(target)).spend)
    const { spend, value } = play(targetOf(target), budget)

    expect(spend).toBeLessThanOrEqual(budget)
    expect(spend).toBeGreaterThan(0.9 * budget)
    expect(spend / value).toBeLessThan(0.9 * target)
  })

  test('aim lower where fewer conversions came than were predicted', () => {
    const target = 0.85 * bookedCost.each
    const { spend, value } = play(targetOf(target, 0.7 * target))

    expect(spend / value / (0.7 * target)).toBeGreaterThan(0.9)
    expect(spend / value / (0.7 * target)).toBeLessThan(1.1)
  })

  test('never win what the maximum bid cannot pay', () => {
    const { auctions, conversionRates } = today
    const target = { ...targetOf(1e9), clickMicrosMax: 10_000 }
    const met = inConversions(auctions, conversionRates!, target)

    const winnable = met.price.filter((price) => price < NEVER_WON)
    expect(winnable.length).toBeGreaterThan(100)
    const tooDear = auctions.price.filter(
      (price, at) => met.price[at]! < NEVER_WON && price > 10_000 * auctions.pctr[at]!,
    )
    expect(tooDear).toHaveLength(0)
  })
})

test('a replay prefers the policy that meets the target to the one that buys more', () => {
  const target = targetOf(0.7 * bookedCost.each)
  const terms = termsWith(target)
  const history = historyOf(others, target)

  const byTarget = replayPast('tcpa', terms, { day: today, others: history })
  const booked = replayPast('fixed', terms, { day: today, others: history })

  expect(byTarget).toBeGreaterThan(1.1 * booked)
})

test('conversions above the target count less, the further the target is missed', () => {
  expect(worthWithin({ value: 10, spend: 100 }, 10)).toBe(10)
  expect(worthWithin({ value: 10, spend: 109 }, 10)).toBe(10)
  expect(worthWithin({ value: 10, spend: 220 }, 10)).toBeCloseTo(10 / 16, 9)
  expect(worthWithin({ value: 0, spend: 100 }, 10)).toBe(0)
})

test('a history without a price leaves the target itself as the limit', () => {
  const empty: Auctions = {
    count: 1,
    price: Int32Array.of(NEVER_WON),
    pctr: Float64Array.of(0.01),
    click: new Uint8Array(1),
    window: new Uint8Array(1),
  }
  const day = {
    auctions: empty,
    conversionRates: Float64Array.of(0.1),
    sampledShare: 1,
    deliveredShare: 1,
  }
  const { curve } = historyOf([day], targetOf(5_000_000))

  expect(Math.exp(lnWithinCost(curve, 5_000_000))).toBeCloseTo(5_000_000, 3)
  expect(requestsPerWindow(empty)[0]).toBe(1)
})
