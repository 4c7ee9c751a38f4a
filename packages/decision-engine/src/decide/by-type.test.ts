import { expect, test } from 'vitest'
import { applyChange } from '../changes/apply-change.ts'
import { PLACEMENTS_PER_TYPE_MAX } from './by-type.ts'
import { createIndex } from '../columns/catalogue.ts'
import { decide } from './decide.ts'
import { seededDraws } from './draws.ts'
import { explain } from '../explain/explain.ts'
import { finishLoad } from '../columns/membership.ts'
import { type CaseCatalogue, caseChanges, caseRequest } from '../testing/decision-case.ts'
import { PlainLive } from '../testing/plain-live.ts'
import { scorerOfPlaces } from '../testing/scorer-of-places.ts'

const request = caseRequest({ placementType: 'feed' })
const ports = () => ({ live: new PlainLive({}), draws: seededDraws(1) })

function indexOf(catalogue: CaseCatalogue) {
  const index = createIndex({ scorer: scorerOfPlaces })
  for (const change of caseChanges(catalogue, true)) applyChange(index, change)
  finishLoad(index)
  return index
}

const placementsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ key: at + 1, slug: `feed-${at + 1}` }))

const TWO_ADS: CaseCatalogue = {
  placements: placementsOf(3),
  campaigns: [{ key: 1 }, { key: 2 }],
  banners: [{ key: 1 }, { key: 2 }],
  ads: [{ key: 1 }, { key: 2, campaignKey: 2, bannerKey: 2, bidMicros: 900_000 }],
}

test('an ad that may be shown on several placements is one bid, as it is worth most', () => {
  const { bidCount, topBids, winners, placementKey } = decide(indexOf(TWO_ADS), request, ports())

  expect(bidCount).toBe(2)
  expect(topBids).toMatchObject([
    { adKey: 1, ctr: expect.closeTo(0.025) as number },
    { adKey: 2, ctr: expect.closeTo(0.025) as number },
  ])
  // Placements with odd keys are clicked more often; the first made of them is taken.
  expect({ placementKey, key: winners[0]?.key }).toEqual({ placementKey: 1, key: 1 })
})

test('a request by type asks the first made placements that have ads, and no more than five hundred', () => {
  const [last] = placementsOf(PLACEMENTS_PER_TYPE_MAX + 1).slice(-1)
  const index = indexOf({
    ...TWO_ADS,
    placements: placementsOf(PLACEMENTS_PER_TYPE_MAX + 1),
    campaignPlacements: [
      ...placementsOf(PLACEMENTS_PER_TYPE_MAX).map(({ key }) => ({
        campaignKey: 2,
        placementKey: key,
      })),
      { campaignKey: 1, placementKey: last!.key },
    ],
  })
  expect(decide(index, request, ports()).winners).toMatchObject([{ key: 2 }])

  applyChange(index, { remove: 'placement', key: 5 })

  expect(decide(index, request, ports()).winners).toMatchObject([{ key: 1 }])
})

test('without a winner a request by type has no placement, and the lowest of its floors', () => {
  const floors = [5_000_000, 4_000_000, 90_000_000]
  const placements = placementsOf(3).map((one, at) => ({ ...one, floorMicros: floors[at]! }))
  const ads = [{ key: 1, bidMicros: 10_000 }]

  const decision = decide(indexOf({ ...TWO_ADS, placements, ads }), request, ports())

  expect(decision).toMatchObject({
    placementKey: undefined,
    floorMicros: 4_000_000,
    emptyReason: 'no-candidate',
    needsPlaceholder: true,
  })
})

test('an explanation tells of each ad where it came furthest, and what it lacks there', () => {
  const index = indexOf({
    ...TWO_ADS,
    placements: [
      { key: 1, slug: 'a', mode: 'direct' },
      { key: 2, slug: 'b', floorMicros: 30_000_000 },
      { key: 3, slug: 'c', formats: ['video'] },
    ],
    campaignPlacements: [1, 2, 3].map((placementKey) => ({ campaignKey: 1, placementKey })),
  })

  const { outcomes, requirements } = explain(index, request, { ...ports(), adKey: 1 })
  const stranger = explain(index, request, { ...ports(), adKey: 2 })
  const nowhere = explain(index, { ...request, publisherKey: 9 }, { ...ports(), adKey: 1 })

  expect(outcomes).toMatchObject([{ reason: 'below-floor', placementKey: 2 }])
  expect(requirements).toMatchObject({ obstacles: [], effectiveBidMicrosNeeded: 1_500_000 })
  expect(stranger.requirements?.obstacles).toEqual(['not-linked'])
  expect(nowhere.requirements?.obstacles).toEqual(['placement-not-active'])
})
