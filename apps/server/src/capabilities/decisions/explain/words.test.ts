import type { Winner } from '@placard/decision-engine'
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

test('a score line shows its factors, with the lift if there is one', () => {
  expect(describeCalculation(winner, 10_000)[0]).toBe(
    'Score: bid 0.5 × click rate 0.02 × quality 1 = 0.01 per impression.',
  )
  expect(describeCalculation({ ...winner, score: 15_000 }, 10_000)[0]).toBe(
    'Score: bid 0.5 × click rate 0.02 × quality 1 × lift 1.50 = 0.015 per impression.',
  )
})
