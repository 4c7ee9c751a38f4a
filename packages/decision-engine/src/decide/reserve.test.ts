import { expect, test } from 'vitest'
import { applyChange } from '../changes/apply-change.ts'
import { createIndex } from '../columns/catalogue.ts'
import { decide } from './decide.ts'
import { seededDraws } from './draws.ts'
import { finishLoad } from '../columns/membership.ts'
import { caseChanges, caseRequest } from '../testing/decision-case.ts'
import { type PlainLiveState, PlainLive } from '../testing/plain-live.ts'

/** Three ads, best first, and an evergreen banner. */
function decideOn(state: PlainLiveState) {
  const index = createIndex()
  const rows = caseChanges(
    {
      placements: [{ allowPartialRender: true }],
      campaigns: [{ key: 1 }, { key: 2 }, { key: 3 }],
      banners: [{ key: 1 }, { key: 2 }, { key: 3 }, { key: 4, evergreenFallback: true }],
      ads: [
        { key: 1, bidMicros: 3_000_000 },
        { key: 2, campaignKey: 2, bannerKey: 2, bidMicros: 2_000_000 },
        { key: 3, campaignKey: 3, bannerKey: 3 },
      ],
    },
    true,
  )
  for (const row of rows) applyChange(index, row)
  finishLoad(index)
  const live = new PlainLive(state)
  const { winners } = decide(index, caseRequest({ placementKey: 1 }), {
    live,
    draws: seededDraws(1),
  })
  return { tried: live.tried, won: winners.map(({ source, key }) => `${source}-${key}`) }
}

test('when a reservation is refused, the next best ad tries', () => {
  const { tried, won } = decideOn({ refused: ['auction-1', 'auction-2'] })

  expect(tried).toEqual(['auction-1', 'auction-2', 'auction-3'])
  expect(won).toEqual(['auction-3'])
})

test('while no money can be reserved, only the best ad tries, and a free banner is shown', () => {
  const { tried, won } = decideOn({ isFull: true })

  expect(tried).toEqual(['auction-1', 'evergreen-4'])
  expect(won).toEqual(['evergreen-4'])
})
