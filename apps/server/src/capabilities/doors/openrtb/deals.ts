import type { Imp } from '@placard/contract/openrtb'
import { microsOf } from '../shared/amounts.ts'

/** A deal of the request that names a campaign. */
export interface Deal {
  readonly id: string
  readonly floorMicros: number
}

export interface Deals {
  readonly byCampaign: ReadonlyMap<number, Deal>
  readonly isPrivate: boolean
}

export interface DealTerms {
  /** Campaigns that deliver a contract. */
  readonly campaignsOfContract: ReadonlyMap<string, ReadonlySet<number>>
  /** Of the publisher. A floor in another currency cannot be kept, so its deal is left out. */
  readonly currency: string
}

/** `imp.pmp`: the campaigns that its deals name by contract. */
export function dealsOf({ pmp }: Imp, terms: DealTerms): Deals | undefined {
  if (pmp === undefined) return undefined
  const byCampaign = new Map<number, Deal>()
  for (const { id, bidfloor, bidfloorcur } of pmp.deals ?? []) {
    if (!isInCurrency(bidfloor, bidfloorcur, terms.currency)) continue
    for (const key of terms.campaignsOfContract.get(id) ?? []) {
      if (!byCampaign.has(key)) byCampaign.set(key, { id, floorMicros: microsOf(bidfloor) ?? 0 })
    }
  }
  const isPrivate = pmp.private_auction === 1
  return byCampaign.size === 0 && !isPrivate ? undefined : { byCampaign, isPrivate }
}

/** Nothing converts. A floor of zero is the same in every currency. */
export const isInCurrency = (
  floor: number | undefined,
  floorCurrency: string | undefined,
  currency: string,
): boolean => !floor || (floorCurrency ?? 'USD').toUpperCase() === currency
