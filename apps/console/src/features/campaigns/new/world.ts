import { useMemo, useState } from 'react'
import { usePostRead, useRead } from '../../../api/hooks.ts'
import type { Advertiser, Banner, PageOf, Placement, Report } from '../../../api/types.ts'
import { dayBefore } from '../../../ui/format/format.ts'
import type { Draft, Supply } from './draft.ts'

/** Everything the form can choose from, with its figures. */
export interface BookingWorld {
  readonly advertisers: readonly Advertiser[]
  readonly advertiser: Advertiser | undefined
  readonly banners: readonly Banner[]
  readonly placements: readonly Placement[]
  readonly canPlace: boolean
  readonly supply: Supply | undefined
  readonly impressionsOf: ReadonlyMap<string, number>
}

const DAYS = 7
const NONE: readonly never[] = []

export function useBookingWorld(draft: Draft, canPlace: boolean): BookingWorld {
  const advertisers = useRead<PageOf<Advertiser>>('/admin/advertisers', {
    query: { limit: 200, sort: 'name' },
  })
  const buyers = advertisers.data?.items.filter(({ isHouse }) => !isHouse) ?? NONE
  const advertiser = buyers.find(({ id }) => id === draft.advertiserId) ?? buyers[0]
  const banners = useRead<PageOf<Banner>>('/admin/banners', {
    query: { advertiserId: advertiser?.id, limit: 200 },
    when: advertiser !== undefined,
  })
  const placements = useRead<PageOf<Placement>>('/admin/placements', {
    query: { isActive: true, limit: 200, sort: 'label' },
    when: canPlace,
  })
  const shown = useShownByPlacement()
  return {
    advertisers: buyers,
    advertiser,
    banners: banners.data?.items ?? NONE,
    placements: placements.data?.items ?? NONE,
    canPlace,
    ...useMemo(() => supplyOf(shown, draft.placementIds), [shown, draft.placementIds]),
  }
}

interface Shown {
  readonly placementId: string
  readonly impressions: number
  readonly clicks: number
}

/** Impressions and clicks per placement in the last seven days. */
function useShownByPlacement(): readonly Shown[] {
  const [today] = useState(() => new Date().toISOString().slice(0, 10))
  const report = usePostRead<Report>('/reports/query', {
    dimensions: ['placement'],
    metrics: ['impressions', 'clicks'],
    from: dayBefore(today, DAYS - 1),
    to: today,
    limit: 1_000,
  })
  return (report.data?.rows as unknown as Shown[] | undefined) ?? NONE
}

function supplyOf(shown: readonly Shown[], chosen: readonly string[]) {
  const impressionsOf = new Map<string, number>()
  let impressions = 0
  let clicks = 0
  for (const row of shown) {
    impressionsOf.set(
      row.placementId,
      (impressionsOf.get(row.placementId) ?? 0) + row.impressions / DAYS,
    )
    if (!chosen.includes(row.placementId)) continue
    impressions += row.impressions
    clicks += row.clicks
  }
  const supply =
    impressions > 0
      ? { impressionsPerDay: impressions / DAYS, ctr: clicks / impressions }
      : undefined
  return { impressionsOf, supply }
}
