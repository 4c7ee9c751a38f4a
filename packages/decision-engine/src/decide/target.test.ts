import { describe, expect, test } from 'vitest'
import { applyChange } from '../changes/apply-change.ts'
import { createIndex, type DecisionIndex } from '../columns/catalogue.ts'
import { finishLoad } from '../columns/membership.ts'
import type { BidMultiplier, Change } from '../changes/records.ts'
import { caseChanges, caseRequest } from '../testing/decision-case.ts'
import { PlainLive } from '../testing/plain-live.ts'
import { decide } from './decide.ts'
import { seededDraws } from './draws.ts'
import type { Context } from './targeting.ts'
import { heuristicScorer } from './scorer.ts'

/** On phones one click of a hundred converts, elsewhere four. */
const scorer = {
  ...heuristicScorer,
  contextConversionOdds: (_: string, { device }: Context) =>
    device === 'mobile' ? 0.01 / 0.99 : 0.04 / 0.96,
}

/** Campaign 1 pays at most 2.00 a click and wants a conversion for 20.00; its ads are booked at 1.00. */
const rows = caseChanges(
  {
    placements: [{}],
    campaigns: [
      { key: 1, pricing: 'cpc', bidMicrosMax: 2_000_000, targetMicros: 20_000_000 },
      { key: 2, pricing: 'cpc' },
    ],
    banners: [{}],
    ads: [
      { key: 1, campaignKey: 1 },
      { key: 2, campaignKey: 2, bidMicros: 500_000 },
    ],
  },
  true,
)

function indexWith(learned: Partial<BidMultiplier> = {}, changes: readonly Change[] = []) {
  const index = createIndex({ scorer })
  for (const change of rows) applyChange(index, change)
  finishLoad(index)
  turn(index, learned)
  for (const change of changes) applyChange(index, change)
  return index
}

const turn = (index: DecisionIndex, learned: Partial<BidMultiplier>) =>
  applyChange(index, {
    put: 'bid-multiplier',
    record: { campaignKey: 1, multiplier: 1, byTarget: true, ...learned },
  })

const winnerOn = (index: DecisionIndex, device: 'mobile' | 'desktop') =>
  decide(index, caseRequest({ placementKey: 1, context: { device } }), {
    live: new PlainLive({}),
    draws: seededDraws(1),
  }).winners[0]!

describe('a bid by target', () => {
  test('is the target times the predicted conversion rate, so it differs from context to context', () => {
    const index = indexWith()

    expect(winnerOn(index, 'desktop')).toMatchObject({
      key: 1,
      effectiveBidMicros: 800_000,
      conversionRate: expect.closeTo(0.04, 9),
    })
    // 0.20 on a phone is less than the other's 0.50.
    expect(winnerOn(index, 'mobile')).toMatchObject({ key: 2, secondScore: 200_000 * 0.02 })
  })

  test('never exceeds the maximum bid, and costs no more than it offers', () => {
    const winner = winnerOn(indexWith({ multiplier: 10 }), 'desktop')

    expect(winner.effectiveBidMicros).toBe(2_000_000)
    expect(winner.chargeMicros).toBeLessThanOrEqual(2_000_000)
  })

  test('rises with the odds that a click on this ad converts', () => {
    const odds = 1.5
    const index = indexWith({}, [{ put: 'conversion-odds', record: { adKey: 1, odds } }])

    const total = (odds * 0.04) / 0.96
    expect(winnerOn(index, 'desktop').effectiveBidMicros).toBe(
      Math.floor((20_000_000 * total) / (1 + total)),
    )
  })

  test('is as booked again once the agent no longer bids by target, or there is no target', () => {
    const asBooked = { key: 1, effectiveBidMicros: 1_000_000 }

    expect(
      winnerOn(indexWith({ multiplier: undefined, byTarget: false }), 'desktop'),
    ).toMatchObject(asBooked)
    const campaign = rows.find((row) => 'put' in row && row.put === 'campaign') as Extract<
      Change,
      { put: 'campaign' }
    >
    const untargeted = { ...campaign.record, targetMicros: undefined }
    const index = indexWith({ multiplier: 3 }, [{ put: 'campaign', record: untargeted }])
    expect(winnerOn(index, 'desktop')).toMatchObject({ ...asBooked, conversionRate: undefined })
  })

  test('applies to clicks only: a campaign that pays per mille keeps its bids', () => {
    const campaign = { key: 1, pricing: 'cpm' as const, targetMicros: 20_000_000 }
    const index = createIndex({ scorer })
    const perMille = caseChanges(
      { placements: [{}], campaigns: [campaign], banners: [{}], ads: [{}] },
      true,
    )
    for (const change of perMille) applyChange(index, change)
    finishLoad(index)
    turn(index, { multiplier: 3 })

    expect(winnerOn(index, 'desktop').effectiveBidMicros).toBe(1_000_000)
  })
})
