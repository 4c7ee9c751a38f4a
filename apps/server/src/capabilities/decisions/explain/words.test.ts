import type { Context, Winner } from '@placard/decision-engine'
import { expect, test } from 'vitest'
import { describeCalculation } from './words.ts'

const winner: Winner = {
  source: 'auction',
  key: 1,
  bannerKey: 1,
  campaignKey: 1,
  advertiserKey: 1,
  format: 'image',
  isCapped: false,
  pricing: 'cpc',
  effectiveBidMicros: 500_000,
  chargeMicros: 450_000,
  costMicros: 450_000,
  score: 10_000,
  secondScore: 8_800,
  finalPriceMicros: 10_000,
  ctr: 0.02,
  quality: 1,
}

const it = { floorMicros: 10_000, context: {}, currency: 'EUR' }

test('a score line shows its factors, with the lift if there is one', () => {
  expect(describeCalculation(winner, it)[0]).toBe(
    'Score: bid 0.5 EUR × click rate 0.02 × quality 1 = 0.01 EUR per impression.',
  )
  expect(describeCalculation({ ...winner, score: 15_000 }, it)[0]).toBe(
    'Score: bid 0.5 EUR × click rate 0.02 × quality 1 × lift 1.50 = 0.015 EUR per impression.',
  )
})

test('the predicted purchases of a campaign with a target cost are told', () => {
  const told = (conversionRate?: number) =>
    describeCalculation({ ...winner, conversionRate }, it).filter((line) => /purchases/.test(line))

  expect(told(0.034)).toEqual([
    'Predicted purchases per click: 0.034. A bid by target cost is the target × multiplier × this.',
  ])
  expect(told()).toEqual([])
})

test('what is known of the reader and raises click rates is told, as long as it does', () => {
  const told = (context: Context, pricing: Winner['pricing'] = 'cpc') =>
    describeCalculation({ ...winner, pricing }, { ...it, context }).filter((line) =>
      line.startsWith('Click rate ×'),
    )

  expect(told({ lastPurchaseDaysAgo: 14, segments: ['high-intent'] })).toEqual([
    'Click rate × 1.25: the reader is in the segment "high-intent".',
    'Click rate × 1.1: the reader bought something 14 days ago.',
  ])
  expect(told({ lastPurchaseDaysAgo: 0 })).toEqual([
    'Click rate × 1.1: the reader bought something within the last day.',
  ])
  expect(told({ lastPurchaseDaysAgo: 15, segments: ['other'] })).toEqual([])
  expect(told({ lastPurchaseDaysAgo: 3 }, 'cpm')).toEqual([])
})
