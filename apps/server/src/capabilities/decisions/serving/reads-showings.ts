import { and, between, desc, eq, gte, inArray, lte, or } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { ads, advertisers, bannerAssignments, campaigns } from '../../campaigns/tables.ts'
import { banners } from '../../creatives/tables.ts'
import { placements, publishers } from '../../inventory/tables.ts'
import { utcDayOf } from '../records/auction-day.ts'
import type { Utm } from '../../tracking/index.ts'
import { auctions } from '../tables.ts'

/** Where a banner leads, soft-deleted or not: served links keep working. */
export async function findBannerTarget(
  db: Database,
  bannerKey: number,
): Promise<{ ctaUrl: string | null; utm: Utm } | undefined> {
  const [found] = await db
    .select({
      ctaUrl: banners.ctaUrl,
      utm: {
        source: banners.utmSource,
        medium: banners.utmMedium,
        campaign: banners.utmCampaign,
        content: banners.utmContent,
      },
    })
    .from(banners)
    .where(eq(banners.id, BigInt(bannerKey)))
  return found
}

export async function findAssignmentUrl(db: Database, key: number): Promise<string | null> {
  const [found] = await db
    .select({ ctaUrl: bannerAssignments.overrideCtaUrl })
    .from(bannerAssignments)
    .where(eq(bannerAssignments.id, BigInt(key)))
  return found?.ctaUrl ?? null
}

/** The ad or banner that an event names by public ids. */
export interface NamedThing {
  readonly adId: bigint | null
  readonly assignmentId: bigint | null
  readonly bannerId: bigint
  readonly campaignId: bigint | null
  readonly advertiserId: bigint
  readonly timeZone: string
}

export async function findAdThing(db: Database, publicId: string): Promise<NamedThing | undefined> {
  const [found] = await db
    .select({
      adId: ads.id,
      bannerId: ads.bannerId,
      campaignId: ads.campaignId,
      advertiserId: campaigns.advertiserId,
      timeZone: advertisers.timeZone,
    })
    .from(ads)
    .innerJoin(campaigns, eq(campaigns.id, ads.campaignId))
    .innerJoin(advertisers, eq(advertisers.id, campaigns.advertiserId))
    .where(eq(ads.publicId, publicId))
  return found && { ...found, assignmentId: null }
}

export async function findBannerThing(
  db: Database,
  publicId: string,
): Promise<NamedThing | undefined> {
  const [found] = await db
    .select({
      bannerId: banners.id,
      advertiserId: banners.advertiserId,
      timeZone: advertisers.timeZone,
    })
    .from(banners)
    .innerJoin(advertisers, eq(advertisers.id, banners.advertiserId))
    .where(eq(banners.publicId, publicId))
  return found && { ...found, adId: null, assignmentId: null, campaignId: null }
}

interface Booking {
  readonly campaignId: string
  readonly bannerId: bigint
  readonly placementKey: number | undefined
}

/** The campaign that shows the banner, and by which assignment. Undefined if none does. */
export async function findBooking(db: Database, { campaignId, bannerId, placementKey }: Booking) {
  const [found] = await db
    .select({ campaignId: campaigns.id, assignmentId: bannerAssignments.id })
    .from(campaigns)
    .innerJoin(banners, eq(banners.advertiserId, campaigns.advertiserId))
    .leftJoin(
      bannerAssignments,
      and(
        eq(bannerAssignments.campaignId, campaigns.id),
        eq(bannerAssignments.bannerId, banners.id),
        placementKey === undefined
          ? undefined
          : eq(bannerAssignments.placementId, BigInt(placementKey)),
      ),
    )
    .where(and(eq(campaigns.publicId, campaignId), eq(banners.id, bannerId)))
    .limit(1)
  return found
}

export interface NamedPlacement {
  readonly key: number
  /** The publisher's account. */
  readonly publisherKey: number
}

export async function findPlacement(
  db: Database,
  {
    slug,
    publicId,
  }: { readonly slug?: string | undefined; readonly publicId?: string | undefined },
): Promise<NamedPlacement | undefined> {
  const name =
    publicId === undefined ? eq(placements.slug, slug ?? '') : eq(placements.publicId, publicId)
  const [found] = await db
    .select({ id: placements.id, accountId: publishers.accountId })
    .from(placements)
    .innerJoin(publishers, eq(publishers.id, placements.publisherId))
    .where(name)
  return found && { key: Number(found.id), publisherKey: Number(found.accountId) }
}

export interface UserAuctionQuery {
  readonly userKeys?: readonly string[] | undefined
  readonly sessionKey?: string | undefined
  readonly addressKeys?: readonly string[] | undefined
  readonly fromMs: number
  readonly toMs: number
  readonly limit: number
}

/** What readers, a session or an address saw within a range, newest first. */
export function listAuctionsOfUser(db: Database, query: UserAuctionQuery) {
  const from = new Date(query.fromMs)
  const to = new Date(query.toMs)
  return db
    .select({
      id: auctions.id,
      decidedOn: auctions.decidedOn,
      decidedAt: auctions.auctionTime,
      placementId: auctions.placementId,
      siteId: auctions.siteId,
      winners: auctions.winners,
      userKey: auctions.userKey,
      sessionKey: auctions.sessionKey,
    })
    .from(auctions)
    .where(
      and(
        isOfReader(query),
        between(auctions.auctionTime, from, to),
        gte(auctions.decidedOn, utcDayOf(from)),
        lte(auctions.decidedOn, utcDayOf(to)),
      ),
    )
    .orderBy(desc(auctions.auctionTime), desc(auctions.id))
    .limit(query.limit)
}

function isOfReader({ userKeys = [], sessionKey, addressKeys = [] }: UserAuctionQuery) {
  return or(
    userKeys.length === 0 ? undefined : inArray(auctions.userKey, [...userKeys]),
    sessionKey === undefined ? undefined : eq(auctions.sessionKey, sessionKey),
    addressKeys.length === 0 ? undefined : inArray(auctions.addressKey, [...addressKeys]),
  )
}

/** All kept decisions for these readers, up to `limit`. */
export function listAllAuctionsOfReaders(db: Database, userKeys: readonly string[], limit: number) {
  return db
    .select({ id: auctions.id, decidedOn: auctions.decidedOn, winners: auctions.winners })
    .from(auctions)
    .where(inArray(auctions.userKey, [...userKeys]))
    .limit(limit)
}

export type UserAuction = Awaited<ReturnType<typeof listAuctionsOfUser>>[number]
