import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../../../api/client.ts'
import { useRead } from '../../../api/hooks.ts'
import type { Advertiser, Banner, BookablePlacement, PageOf } from '../../../api/types.ts'
import type { Draft, Supply } from './draft.ts'

/** Everything that the form needs to know besides what is typed. */
export interface BookingWorld {
  /** False for users of one advertiser, who have nothing to choose. */
  readonly choosesAdvertiser: boolean
  readonly advertiser: Advertiser | undefined
  readonly currency: string
  readonly zone: string
  /** The chosen ones. */
  readonly banners: readonly Banner[]
  readonly placements: readonly BookablePlacement[]
  readonly direct: ReadonlySet<string>
  readonly supply: Supply | undefined
}

const NONE: readonly never[] = []

export function useBookingWorld(draft: Draft): BookingWorld {
  const { advertiserId, bannerIds, placementIds } = draft
  const advertiser = useRead<Advertiser>(`/admin/advertisers/${advertiserId}`, {
    when: advertiserId !== '',
  })
  const first = useRead<PageOf<Advertiser>>('/admin/advertisers', { query: { limit: 2 } })
  const places = useRead<PageOf<BookablePlacement>>('/admin/bookable-placements', {
    query: { only: placementIds.join(','), limit: 50 },
    when: placementIds.length > 0,
  })
  const banners = useQueries({
    queries: bannerIds.map((id) => ({
      queryKey: [`/admin/banners/${id}`, {}],
      queryFn: () => api.get<Banner>(`/admin/banners/${id}`),
    })),
  })
  const chosen = useMemo(
    () => places.data?.items.filter(({ id }) => placementIds.includes(id)) ?? NONE,
    [places.data, placementIds],
  )
  const owner = advertiserId === '' ? undefined : advertiser.data
  return {
    choosesAdvertiser: first.data === undefined || first.data.items.length !== 1,
    advertiser: owner,
    currency: owner?.currency ?? 'EUR',
    zone: owner?.timeZone ?? 'UTC',
    banners: banners.flatMap(({ data }) => data ?? []),
    placements: chosen,
    ...useMemo(
      () => ({
        direct: new Set(chosen.filter(({ mode }) => mode === 'direct').map(({ id }) => id)),
        supply: supplyOf(chosen),
      }),
      [chosen],
    ),
  }
}

/** The only advertiser of a user who has just one. */
export function useOnlyAdvertiser(): string | undefined {
  const first = useRead<PageOf<Advertiser>>('/admin/advertisers', { query: { limit: 2 } })
  const items = first.data?.items ?? NONE
  return items.length === 1 ? items[0]!.id : undefined
}

function supplyOf(chosen: readonly BookablePlacement[]): Supply | undefined {
  const impressions = chosen.reduce((sum, { impressionsPerDay }) => sum + impressionsPerDay, 0)
  const clicks = chosen.reduce((sum, { clicksPerDay }) => sum + clicksPerDay, 0)
  return impressions > 0 ? { impressionsPerDay: impressions, ctr: clicks / impressions } : undefined
}
