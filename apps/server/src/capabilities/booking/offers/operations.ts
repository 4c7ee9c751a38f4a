import { BookablePlacement } from '@placard/contract/booking'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { Problem } from '../../../platform/problem.ts'
import {
  type Actor,
  cutPage,
  pageFrom,
  presentAs,
  type Values,
} from '../../../platform/resources/index.ts'
import { placementProblems } from '../../inventory/index.ts'
import { bookingProblems } from '../problems.ts'
import { isOffered, listOffers, type OfferRecord } from './reads.ts'
import { TRAFFIC_DAYS, type Traffic } from './traffic.ts'

export interface OfferDeps {
  readonly db: Database
  readonly clock: Clock
  readonly traffic: Traffic
}

/** The seller's people book anywhere; buyers where publishers offer it to all. */
export const sells = ({ principal }: Actor) => principal.permissions.has('assignments:write')

/** Fewer buyers than this, and an average price would tell what one of them pays. */
const BUYERS_MIN = 3

export async function readOffers(
  { db, traffic }: OfferDeps,
  { query, actor }: { readonly query: Values; readonly actor: Actor },
) {
  const page = pageFrom({ ...query, sort: 'label' })
  const isSeller = sells(actor)
  const { currency, only } = page.filters as { currency?: string; only?: string }
  const filters = { currency, only: only?.split(',') }
  const offers = await listOffers(db, { page, onlyOffered: !isSeller, ...filters })
  const { rows, ...next } = cutPage(offers, page)
  const sums = await traffic.read()
  return { items: rows.map((offer) => presentOffer(offer, { sums, isSeller })), ...next }
}

/** One placement that the caller may book. */
export async function getOffer(
  deps: OfferDeps,
  { placementId, actor }: { readonly placementId: string; readonly actor: Actor },
) {
  const { items } = await readOffers(deps, { query: { only: placementId, limit: 1 }, actor })
  if (items[0] === undefined) throw new Problem(placementProblems.notFound, placementId)
  return items[0]
}

interface Shown {
  readonly sums: Awaited<ReturnType<Traffic['read']>>
  readonly isSeller: boolean
}

function presentOffer(offer: OfferRecord, { sums, isSeller }: Shown) {
  const sum = sums.get(BigInt(offer.key))
  const { impressions = 0, clicks = 0, buyers = 0, cpmMicros } = sum ?? {}
  return presentAs(BookablePlacement, {
    ...offer,
    id: offer.publicId,
    impressionsPerDay: Math.round(impressions / TRAFFIC_DAYS),
    clicksPerDay: clicks / TRAFFIC_DAYS,
    cpmMicros: isSeller || buyers >= BUYERS_MIN ? cpmMicros : undefined,
  })
}

interface Place {
  readonly placementId: string
  readonly actor: Actor
  readonly isBookedDirectly: boolean
}

/** A direct booking goes before every bid, so a buyer never makes one. */
export async function refuseUnoffered(
  db: Database,
  { placementId, actor, isBookedDirectly }: Place,
): Promise<void> {
  if (isBookedDirectly && !sells(actor)) {
    throw new Problem(bookingProblems.bookedDirectly, placementId)
  }
  if (await mayBook(db, { placementId, actor })) return
  throw new Problem(bookingProblems.notOffered, placementId)
}

export const mayBook = async (
  db: Database,
  { placementId, actor }: Omit<Place, 'isBookedDirectly'>,
): Promise<boolean> => sells(actor) || isOffered(db, placementId)
