import { type Micros, NO_MONEY } from '@placard/money'
import { and, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'
import { accounts } from '../accounts/tables.ts'
import { budgetDays } from '../budgets/tables.ts'
import { channelConnections } from '../channels/tables.ts'
import { banners } from '../creatives/tables.ts'
import { publishers } from '../inventory/tables.ts'
import { LIVE_STATES, type CampaignState } from './campaign.ts'
import {
  ads,
  adSets,
  advertisers,
  bannerAssignments,
  campaignPlacements,
  campaigns,
  sellpages,
} from './tables.ts'

/** The advertiser, locked until the transaction ends. Undefined if it is deleted. */
export async function shareLockAdvertiser(
  db: Database,
  advertiserId: bigint,
): Promise<{ readonly isHouse: boolean } | undefined> {
  const [found] = await db
    .select({ isHouse: advertisers.isHouse })
    .from(advertisers)
    .where(and(eq(advertisers.id, advertiserId), isNull(advertisers.deletedAt)))
    .for('share')
  return found
}

/** The account of a house advertiser, and its publisher. */
export async function readHouseGround(
  db: Database,
  { accountId, publisherId }: { accountId: bigint; publisherId: bigint | null },
): Promise<{ readonly kind: string; readonly publisherAccountId: bigint | null }> {
  const [found] = await db
    .select({ kind: accounts.kind, publisherAccountId: publishers.accountId })
    .from(accounts)
    .leftJoin(publishers, publisherId === null ? sql`false` : eq(publishers.id, publisherId))
    .where(eq(accounts.id, accountId))
  return found!
}

/**
 * True if a banner of the campaign is assigned to a placement. Its price is then part of a deal.
 */
export async function isBooked(db: Database, campaignId: bigint): Promise<boolean> {
  const rows = await db
    .select({ id: bannerAssignments.id })
    .from(bannerAssignments)
    .where(eq(bannerAssignments.campaignId, campaignId))
    .limit(1)
  return rows.length === 1
}

export async function findLiveCampaign(
  db: Database,
  advertiserId: bigint,
): Promise<{ name: string } | undefined> {
  const [campaign] = await db
    .select({ name: campaigns.name })
    .from(campaigns)
    .where(
      and(
        eq(campaigns.advertiserId, advertiserId),
        inArray(campaigns.status, [...LIVE_STATES]),
        isNull(campaigns.deletedAt),
      ),
    )
    .limit(1)
  return campaign
}

export async function isSellpageOf(
  db: Database,
  { sellpageId, advertiserId }: { sellpageId: bigint; advertiserId: bigint },
): Promise<boolean> {
  const rows = await db
    .select({ id: sellpages.id })
    .from(sellpages)
    .where(and(eq(sellpages.id, sellpageId), eq(sellpages.advertiserId, advertiserId)))
  return rows.length === 1
}

export async function findConnection(db: Database, connectionId: bigint) {
  const [connection] = await db
    .select({
      advertiserId: channelConnections.advertiserId,
      connectionType: channelConnections.connectionType,
      provider: channelConnections.provider,
    })
    .from(channelConnections)
    .where(eq(channelConnections.id, connectionId))
  return connection
}

export async function isBannerOf(
  db: Database,
  { bannerId, advertiserId }: { bannerId: bigint; advertiserId: bigint },
): Promise<boolean> {
  const rows = await db
    .select({ id: banners.id })
    .from(banners)
    .where(and(eq(banners.id, bannerId), eq(banners.advertiserId, advertiserId)))
  return rows.length === 1
}

const campaignFacts = {
  id: campaigns.id,
  publicId: campaigns.publicId,
  advertiserId: campaigns.advertiserId,
  maxBidMicros: campaigns.maxBidMicros,
  mayExceedMaxBid: campaigns.mayExceedMaxBid,
}

/** Locks the campaign until the transaction ends. Undefined if it is deleted. */
export async function shareLockCampaign(db: Database, campaignId: bigint) {
  const [campaign] = await db
    .select(campaignFacts)
    .from(campaigns)
    .where(and(eq(campaigns.id, campaignId), isNull(campaigns.deletedAt)))
    .for('share')
  return campaign
}

/** The same for the campaign of an ad set, which must not be deleted either. */
export async function shareLockCampaignOfAdSet(db: Database, adSetId: bigint) {
  const [campaign] = await db
    .select(campaignFacts)
    .from(adSets)
    .innerJoin(campaigns, eq(campaigns.id, adSets.campaignId))
    .where(and(eq(adSets.id, adSetId), isNull(adSets.deletedAt), isNull(campaigns.deletedAt)))
    .for('share')
  return campaign
}

/** Ad sets, by their own public id or by that of an ad in them. */
interface HomeOf {
  readonly ad?: string | undefined
  readonly adSet?: string | undefined
  readonly campaign?: string | undefined
}

/** Locks campaigns, then ad sets, in the order of their keys, as a deletion does from the top. */
export async function shareLockHomes(db: Database, { ad, adSet, campaign }: HomeOf): Promise<void> {
  const sets = sql`select id from ad_sets where public_id = ${adSet ?? null}::uuid
    union select ad_set_id from ads where public_id = ${ad ?? null}::uuid`
  await db.execute(sql`
    select id from campaigns
     where public_id = ${campaign ?? null}::uuid
        or id in (select campaign_id from ad_sets where id in (${sets}))
     order by id for share`)
  if (ad === undefined) return
  await db.execute(sql`select id from ad_sets where id in (${sets}) order by id for share`)
}

export async function findHighestBid(
  db: Database,
  campaignId: bigint,
): Promise<Micros | undefined> {
  const [ad] = await db
    .select({ bid: ads.bidMicros })
    .from(ads)
    .where(and(eq(ads.campaignId, campaignId), isNull(ads.deletedAt)))
    .orderBy(sql`${ads.bidMicros} desc`)
    .limit(1)
  return ad?.bid
}

export async function listBannersOfAds(db: Database, campaignId: bigint): Promise<bigint[]> {
  const rows = await db
    .selectDistinct({ bannerId: ads.bannerId })
    .from(ads)
    .where(and(eq(ads.campaignId, campaignId), isNull(ads.deletedAt)))
  return rows.map(({ bannerId }) => bannerId)
}

export async function listPlacementsOf(db: Database, campaignId: bigint): Promise<bigint[]> {
  const rows = await db
    .select({ placementId: campaignPlacements.placementId })
    .from(campaignPlacements)
    .where(eq(campaignPlacements.campaignId, campaignId))
    .orderBy(campaignPlacements.placementId)
  return rows.map(({ placementId }) => placementId)
}

/** Rows inside a campaign or an ad set that are deleted or restored together. */
export interface CarriedDeletion {
  readonly inside: { readonly campaignId: bigint } | { readonly adSetId: bigint }
  readonly from: Date | null
  readonly to: Date | null
  readonly now: Date
}

const carriedFields = { publicId: ads.publicId, accountId: ads.accountId }

export function carryToAds(db: Database, { inside, from, to, now }: CarriedDeletion) {
  const home =
    'adSetId' in inside ? eq(ads.adSetId, inside.adSetId) : eq(ads.campaignId, inside.campaignId)
  return db
    .update(ads)
    .set({ deletedAt: to, updatedAt: now, version: sql`${ads.version} + 1` })
    .where(and(home, sql`${ads.deletedAt} is not distinct from ${from}`))
    .returning(carriedFields)
}

export function carryToAdSets(
  db: Database,
  { campaignId, from, to, now }: Omit<CarriedDeletion, 'inside'> & { readonly campaignId: bigint },
) {
  return db
    .update(adSets)
    .set({ deletedAt: to, updatedAt: now, version: sql`${adSets.version} + 1` })
    .where(
      and(eq(adSets.campaignId, campaignId), sql`${adSets.deletedAt} is not distinct from ${from}`),
    )
    .returning({ publicId: adSets.publicId, accountId: adSets.accountId })
}

export interface DueQuery {
  readonly now: Date
  readonly limit: number
  /** Campaigns whose impressions, clicks or money are used up. */
  readonly cappedOut: readonly bigint[]
}

/**
 * Locks campaigns that are due to change state. Skips those that another transaction has locked.
 */
export function lockDueCampaigns(db: Database, { now, limit, cappedOut }: DueQuery) {
  return db
    .select({
      id: campaigns.id,
      publicId: campaigns.publicId,
      advertiserPublicId: advertisers.publicId,
      status: campaigns.status,
      startsAt: campaigns.startsAt,
      endsAt: campaigns.endsAt,
    })
    .from(campaigns)
    .innerJoin(advertisers, eq(advertisers.id, campaigns.advertiserId))
    .where(
      or(
        and(inArray(campaigns.status, ['active', 'paused']), inArray(campaigns.id, [...cappedOut])),
        and(eq(campaigns.status, 'scheduled'), lte(campaigns.startsAt, now)),
        and(
          inArray(campaigns.status, ['scheduled', 'active', 'paused']),
          lte(campaigns.endsAt, now),
        ),
      ),
    )
    .orderBy(campaigns.publicId)
    .limit(limit)
    .for('update', { of: campaigns, skipLocked: true })
}

export async function saveState(
  db: Database,
  { ids, status, now }: { ids: readonly bigint[]; status: CampaignState; now: Date },
): Promise<void> {
  await db
    .update(campaigns)
    .set({ status, updatedAt: now, version: sql`${campaigns.version} + 1` })
    .where(inArray(campaigns.id, [...ids]))
}

/** What each advertiser has been charged on its today. */
export async function readSpentToday(db: Database, advertiserIds: readonly bigint[], now: Date) {
  const today = sql`(${now.toISOString()}::timestamptz at time zone zone_or_utc(${advertisers.timeZone}))::date`
  const rows = await db
    .select({ id: advertisers.id, spentTodayMicros: budgetDays.spentMicros })
    .from(advertisers)
    .leftJoin(
      budgetDays,
      and(
        eq(budgetDays.scope, 'advertiser'),
        eq(budgetDays.ownerId, advertisers.id),
        eq(budgetDays.day, today),
      ),
    )
    .where(inArray(advertisers.id, [...advertiserIds]))
  return new Map(
    rows.map(({ id, spentTodayMicros }) => [
      id,
      { spentTodayMicros: spentTodayMicros ?? NO_MONEY },
    ]),
  )
}
