import { expect, test } from 'vitest'
import { applyChange } from '../changes/apply-change.ts'
import { createIndex } from '../columns/catalogue.ts'
import { finishLoad } from '../columns/membership.ts'
import { caseChanges } from '../testing/decision-case.ts'
import { companionBanners } from './companions.ts'

const NOW_MS = Date.parse('2026-05-13T12:00:00Z')

function companionsOf(campaignKey = 1, placementKey = 1) {
  const index = createIndex()
  const rows = caseChanges(
    {
      sites: [{ key: 1, approvalRequired: true }],
      placements: [{ siteKey: 1 }],
      campaigns: [{ key: 1 }, { key: 2 }],
      banners: [
        { key: 1, format: 'video' },
        { key: 2 },
        { key: 3 },
        { key: 4, active: false },
        { key: 5, adProductCategory: '1002' },
        { key: 6, publishAt: '2026-06-01T00:00:00Z', scheduleStatus: 'scheduled' },
        { key: 7 },
      ],
      ads: [1, 2, 3, 4, 5, 6].map((key) => ({ key, bannerKey: key })),
      assignments: [{ key: 1, campaignKey: 1, bannerKey: 7 }],
      adProductBlocks: [{ siteKey: 1, category: '1002' }],
      approvals: [1, 2, 4, 5, 6, 7].map((bannerKey) => ({ siteKey: 1, bannerKey })),
    },
    true,
  )
  for (const row of rows) applyChange(index, row)
  finishLoad(index)
  return companionBanners(index, { campaignKey, placementKey, nowMs: NOW_MS })
}

test('companions are the campaign’s active banners that the site approved and does not block, on schedule', () => {
  expect(companionsOf().toSorted((a, b) => a - b)).toEqual([1, 2, 7])
})

test('a campaign that is gone, and a placement that is gone, have no companions', () => {
  expect(companionsOf(9)).toEqual([])
  expect(companionsOf(1, 9)).toEqual([])
})
