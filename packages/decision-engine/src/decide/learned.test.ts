import { expect, test } from 'vitest'
import { applyChange } from '../changes/apply-change.ts'
import { createIndex, type DecisionIndex } from '../columns/catalogue.ts'
import { decide } from './decide.ts'
import { seededDraws } from './draws.ts'
import { finishLoad } from '../columns/membership.ts'
import type { Change } from '../changes/records.ts'
import { heuristicScorer, type Occasion } from './scorer.ts'
import { caseChanges, caseRequest } from '../testing/decision-case.ts'
import { PlainLive } from '../testing/plain-live.ts'

/** Two campaigns with one ad each, bidding 1.00 and 0.90 per click. */
const rows = caseChanges(
  {
    placements: [{}],
    campaigns: [{ key: 1, bidMicrosMax: 1_200_000 }, { key: 2 }],
    banners: [{}],
    ads: [
      { key: 1, campaignKey: 1 },
      { key: 2, campaignKey: 2, bidMicros: 900_000 },
    ],
  },
  true,
)

function indexOf(changes: readonly Change[], options = {}): DecisionIndex {
  const index = createIndex(options)
  for (const change of changes) applyChange(index, change)
  finishLoad(index)
  return index
}

const winnerIn = (index: DecisionIndex) =>
  decide(index, caseRequest({ placementKey: 1 }), {
    live: new PlainLive({}),
    draws: seededDraws(1),
  }).winners[0]!

test('an ad with a higher learned click rate beats a higher bid, whenever the rate is learned', () => {
  const odds: Change = { put: 'click-odds', record: { adKey: 2, odds: 1.5 } }
  const before = indexOf([odds, ...rows])
  const after = indexOf(rows)
  expect(winnerIn(after).key).toBe(1)

  applyChange(after, odds)

  expect(winnerIn(after).key).toBe(2)
  expect(winnerIn(before)).toEqual(winnerIn(after))
})

test('an ad with a low learned click rate can still win where all ads are clicked often', () => {
  const third = caseChanges(
    {
      placements: [{}],
      campaigns: [{ key: 3 }],
      ads: [{ key: 3, campaignKey: 3, bidMicros: 1_600_000 }],
    },
    true,
  )
  const scorer = { ...heuristicScorer, contextCtr: () => 0.5 }
  const index = indexOf([...rows, ...third], { scorer })

  applyChange(index, { put: 'click-odds', record: { adKey: 3, odds: 0.5 } })

  // A third of 1.60 is more than half of 1.00, although half of half of 1.60 is less.
  expect(winnerIn(index)).toMatchObject({ key: 3, ctr: 1 / 3 })
})

test('a learned click rate outlives a new row of the ad, until it is removed', () => {
  const index = indexOf(rows)
  applyChange(index, { put: 'click-odds', record: { adKey: 2, odds: 1.5 } })
  applyChange(index, { put: 'bid-multiplier', record: { campaignKey: 2, multiplier: 0.5 } })
  for (const row of rows) applyChange(index, row)
  expect(winnerIn(index).key).toBe(1)

  applyChange(index, { put: 'bid-multiplier', record: { campaignKey: 2, multiplier: undefined } })
  expect(winnerIn(index)).toMatchObject({ key: 2, effectiveBidMicros: 900_000 })

  applyChange(index, { put: 'click-odds', record: { adKey: 2, odds: 1 } })
  expect(winnerIn(index).key).toBe(1)
})

test('a multiplier never raises a bid above the maximum', () => {
  const index = indexOf(rows)

  applyChange(index, { put: 'bid-multiplier', record: { campaignKey: 1, multiplier: 3 } })
  expect(winnerIn(index).effectiveBidMicros).toBe(1_200_000)

  applyChange(index, { put: 'bid-multiplier', record: { campaignKey: 1, multiplier: 1.1 } })
  expect(winnerIn(index).effectiveBidMicros).toBe(1_100_000)
})

test('a lifted bid beats a higher bid, and pays for its rank, but never more than the bid', () => {
  const index = indexOf(rows)

  applyChange(index, {
    put: 'bid-multiplier',
    record: { campaignKey: 2, multiplier: undefined, lift: 1.5 },
  })
  const lifted = winnerIn(index)
  expect(lifted).toMatchObject({ key: 2, effectiveBidMicros: 900_000 })
  // A bid of 1.00 beats 0.90 no more than 0.67 lifted by half; and the step.
  expect(lifted.chargeMicros).toBe(Math.round(1_000_000 / 1.5) + 10_000)

  applyChange(index, { put: 'bid-multiplier', record: { campaignKey: 2, multiplier: undefined } })
  expect(winnerIn(index).key).toBe(1)
})

test('the scorer learns placement, time and context once per decision', () => {
  const asked: Occasion[] = []
  const scorer = {
    ...heuristicScorer,
    contextCtr(...[, , occasion]: [string, object, Occasion]) {
      asked.push(occasion)
      return 0.3
    },
  }

  const winner = winnerIn(indexOf(rows, { scorer }))

  expect(winner.ctr).toBe(0.3)
  expect(asked).toMatchObject([{ placement: { slug: 'home-top' }, time: { hour: 12 } }])
})
