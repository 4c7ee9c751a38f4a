import { and, desc, eq, gte, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { ads, campaigns } from '../../campaigns/tables.ts'
import { placements, sites } from '../../inventory/tables.ts'
import { daysOfDecision, utcDayOf } from './auction-day.ts'
import { auctions, auctionStatistics } from '../tables.ts'

export interface AuctionFilter {
  /** Any of them. */
  readonly userKeys?: readonly string[] | undefined
  readonly placementType?: string | undefined
  readonly from?: Date | undefined
  /** Up to and including this instant. */
  readonly to?: Date | undefined
}

/** A position in the list: newest first, the id breaks ties. */
export interface AuctionCursor {
  readonly time: Date
  readonly id: string
}

export type AuctionPlace = { readonly offset: number } | { readonly after: AuctionCursor }

const columns = {
  id: auctions.id,
  kind: auctions.kind,
  userKey: auctions.userKey,
  placementType: auctions.placementType,
  placementId: placements.publicId,
  siteId: sites.publicId,
  auctionTime: auctions.auctionTime,
  bidCount: auctions.bidCount,
  winningAdId: ads.publicId,
  winningCampaignId: campaigns.publicId,
  currency: auctions.currency,
  finalPriceMicros: auctions.finalPriceMicros,
  winningEcpmMicros: auctions.winningEcpmMicros,
  emptyReason: auctions.emptyReason,
  indexVersion: auctions.indexVersion,
  durationMicros: auctions.durationMicros,
}

/** A page of auctions. Cuts the page first, then looks up the names of its rows only. */
export async function listAuctions(
  db: Database,
  filter: AuctionFilter,
  { place, limit }: { readonly place: AuctionPlace; readonly limit: number },
) {
  const page = db
    .select()
    .from(auctions)
    .where(and(...matching(filter), 'after' in place ? before(place.after) : undefined))
    .orderBy(desc(auctions.auctionTime), desc(auctions.id))
    .limit(limit)
    .offset('offset' in place ? place.offset : 0)
    .as('auctions')
  return db
    .select(columns)
    .from(page)
    .leftJoin(placements, eq(placements.id, page.placementId))
    .leftJoin(sites, eq(sites.id, page.siteId))
    .leftJoin(ads, eq(ads.id, page.winningAdId))
    .leftJoin(campaigns, eq(campaigns.id, page.winningCampaignId))
    .orderBy(desc(page.auctionTime), desc(page.id))
}

export type ListedAuction = Awaited<ReturnType<typeof listAuctions>>[number]

/** Counts up to the limit only: an exact count would cost more than the page. */
export async function countAuctions(
  db: Database,
  filter: AuctionFilter,
  max: number,
): Promise<number> {
  const some = db
    .select({ one: sql`1` })
    .from(auctions)
    .where(and(...matching(filter)))
    .limit(max)
    .as('some')
  return db.$count(some)
}

/** The day column lets PostgreSQL skip the partitions of other days. */
function matching({ userKeys, placementType, from, to }: AuctionFilter): (SQL | undefined)[] {
  return [
    userKeys === undefined ? undefined : inArray(auctions.userKey, [...userKeys]),
    placementType === undefined ? undefined : eq(auctions.placementType, placementType),
    from && and(gte(auctions.auctionTime, from), gte(auctions.decidedOn, utcDayOf(from))),
    to && and(lte(auctions.auctionTime, to), lte(auctions.decidedOn, utcDayOf(to))),
  ]
}

const before = ({ time, id }: AuctionCursor) =>
  and(
    lte(auctions.decidedOn, utcDayOf(time)),
    or(lt(auctions.auctionTime, time), and(eq(auctions.auctionTime, time), lt(auctions.id, id))),
  )

export async function findAuction(db: Database, decisionId: string) {
  const [found] = await db
    .select()
    .from(auctions)
    .where(
      and(
        eq(auctions.id, decisionId),
        inArray(auctions.decidedOn, [...daysOfDecision(decisionId)]),
      ),
    )
  return found
}

export type RecordedAuction = NonNullable<Awaited<ReturnType<typeof findAuction>>>

export interface StatisticsRange {
  /** Whole quarter-hours: from the first, before the second. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

/** Sums per currency from the statistics table. Reads no auction. */
export function sumAuctions(db: Database, { from, to }: StatisticsRange) {
  return db
    .select({
      currency: auctionStatistics.currency,
      auctions: total('auctions').mapWith(Number),
      won: total('won').mapWith(Number),
      priced: total('priced').mapWith(Number),
      bids: total('bids').mapWith(Number),
      winningEcpmMicros: total('winningEcpmMicros').mapWith(BigInt),
    })
    .from(auctionStatistics)
    .where(and(from && gte(auctionStatistics.bucket, from), to && lt(auctionStatistics.bucket, to)))
    .groupBy(auctionStatistics.currency)
    .orderBy(auctionStatistics.currency)
}

const total = (column: 'auctions' | 'won' | 'priced' | 'bids' | 'winningEcpmMicros') =>
  sql<string>`sum(${auctionStatistics[column]})::text`
