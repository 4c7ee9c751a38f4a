import { expect, test } from 'vitest'
import { applyChange } from '../changes/apply-change.ts'
import { createIndex } from '../columns/catalogue.ts'
import { finishLoad } from '../columns/membership.ts'
import { type CaseCatalogue, caseChanges } from '../testing/decision-case.ts'
import { type FitQuestion, judgePlace } from './fit.ts'

function fitIn(catalogue: CaseCatalogue, question: Partial<FitQuestion> = {}) {
  const index = createIndex()
  for (const change of caseChanges(catalogue, true)) applyChange(index, change)
  finishLoad(index)
  return judgePlace(index, { kind: 'ad', key: 1, placementKey: 1, fromMs: 0, ...question })
}

const oneAd = (more: Partial<CaseCatalogue> = {}): CaseCatalogue => ({
  placements: [{}],
  campaigns: [{ key: 1, pricing: 'cpm' }],
  banners: [{ key: 1 }],
  ads: [{ key: 1, campaignKey: 1, bannerKey: 1, bidMicros: 2_000_000 }],
  ...more,
})

test('an ad that any reader could see has no reasons', () => {
  expect(fitIn(oneAd())?.reasons).toEqual([])
})

test('every reason of the catalogue is named, not only the first', () => {
  const fit = fitIn(
    oneAd({
      placements: [{ sizes: ['970x250'], formats: ['video'], currency: 'USD', floorMicros: 3e6 }],
      campaigns: [{ key: 1, pricing: 'cpm', currency: 'EUR' }],
      banners: [{ key: 1, sizes: ['300x250'], format: 'single_image', active: false }],
    }),
  )

  expect(fit?.reasons).toEqual(['banner-not-active', 'size', 'format', 'currency', 'below-floor'])
  expect(fit).toMatchObject({ floorMicros: 3e6, cpmMicros: 2e6 })
})

test('a bid at the floor is enough', () => {
  expect(fitIn(oneAd({ placements: [{ floorMicros: 2e6 }] }))?.reasons).toEqual([])
})

test('the dates of a banner must leave some of the campaign’s time', () => {
  const dates = { publishAtMs: 1_000, expiresAtMs: 2_000, scheduleStatus: 'scheduled' as const }
  const banners = [{ key: 1, ...dates }]
  const reasons = (fromMs: number, untilMs?: number) =>
    fitIn(oneAd({ banners }), { fromMs, untilMs })?.reasons

  expect(reasons(0)).toEqual([])
  expect(reasons(1_999, 3_000)).toEqual([])
  expect(reasons(2_000)).toEqual(['banner-expired'])
  expect(reasons(0, 1_001)).toEqual([])
  expect(reasons(0, 1_000)).toEqual(['before-publish'])
})

test('an unknown ad or placement has no answer', () => {
  expect(fitIn(oneAd(), { key: 9 })).toBeUndefined()
  expect(fitIn(oneAd(), { placementKey: 9 })).toBeUndefined()
})
