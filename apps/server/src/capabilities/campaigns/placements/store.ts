import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { Page, Scope } from '../../../platform/resources/index.ts'
import { placements } from '../../inventory/tables.ts'
import { campaignPlacements, campaigns } from '../tables.ts'

export interface LinkKey {
  readonly campaignKey: bigint
  readonly placementKey: bigint
}

export interface LinkRecord extends LinkKey {
  readonly publicId: string
  readonly campaignId: string
  readonly placementId: string
  readonly placementSlug: string
  readonly placementLabel: string
  readonly isActive: boolean
  readonly version: number
  readonly createdAt: Date
}

interface CampaignInScope {
  readonly publicId: string
  readonly scope: Scope
}

/** The campaign of a path, if the caller may see it and it is not deleted. */
export async function findCampaignInScope(db: Database, key: CampaignInScope) {
  const [campaign] = await selectCampaign(db, key)
  return campaign
}

/** The same, held as it is until the transaction ends. */
export async function holdCampaignInScope(db: Database, key: CampaignInScope) {
  const [campaign] = await selectCampaign(db, key).for('share')
  return campaign
}

const selectCampaign = (db: Database, { publicId, scope }: CampaignInScope) =>
  db
    .select({
      key: campaigns.id,
      publicId: campaigns.publicId,
      accountId: campaigns.accountId,
      advertiserId: campaigns.advertiserId,
    })
    .from(campaigns)
    .where(
      and(
        eq(campaigns.publicId, publicId),
        isNull(campaigns.deletedAt),
        scope.isPlatform ? undefined : eq(campaigns.accountId, scope.accountId),
      ),
    )

/** Any account's placement: campaigns run on other people's sites. */
export async function findPlacementKey(
  db: Database,
  publicId: string,
): Promise<bigint | undefined> {
  const [placement] = await db
    .select({ key: placements.id })
    .from(placements)
    .where(and(eq(placements.publicId, publicId), isNull(placements.deletedAt)))
    .for('share')
  return placement?.key
}

/** A publisher's house runs on that publisher's placements only. */
export async function mayRunOn(
  db: Database,
  { campaignKey, placementKey }: LinkKey,
): Promise<boolean> {
  const { rows } = await db.execute<{ may: boolean }>(sql`
    select v.house_publisher_id is null or v.house_publisher_id = p.publisher_id as may
      from campaigns c join advertisers v on v.id = c.advertiser_id, placements p
     where c.id = ${`${campaignKey}`}::bigint and p.id = ${`${placementKey}`}::bigint`)
  return rows[0]?.may === true
}

/** False if the link was there before. */
export async function addLink(
  db: Database,
  { campaignKey, placementKey, isActive, now }: LinkKey & { isActive: boolean; now: Date },
): Promise<boolean> {
  const rows = await db
    .insert(campaignPlacements)
    .values({
      campaignId: campaignKey,
      placementId: placementKey,
      isActive,
      createdAt: now,
    })
    .onConflictDoNothing()
    .returning({ campaignId: campaignPlacements.campaignId })
  return rows.length === 1
}

const linkFields = {
  campaignKey: campaignPlacements.campaignId,
  placementKey: campaignPlacements.placementId,
  publicId: placements.publicId,
  campaignId: campaigns.publicId,
  placementId: placements.publicId,
  placementSlug: placements.slug,
  placementLabel: placements.label,
  isActive: campaignPlacements.isActive,
  version: campaignPlacements.version,
  createdAt: campaignPlacements.createdAt,
}

const selectLinks = (db: Database) =>
  db
    .select(linkFields)
    .from(campaignPlacements)
    .innerJoin(campaigns, eq(campaigns.id, campaignPlacements.campaignId))
    .innerJoin(placements, eq(placements.id, campaignPlacements.placementId))

interface LinkInCampaign {
  readonly campaignKey: bigint
  readonly placementId: string
}

export async function findLink(db: Database, key: LinkInCampaign): Promise<LinkRecord | undefined> {
  const [link] = await selectLinks(db).where(isLink(key))
  return link
}

/** Locks the link until the transaction ends. */
export async function lockLink(db: Database, key: LinkInCampaign): Promise<LinkRecord | undefined> {
  const [link] = await selectLinks(db).where(isLink(key)).for('update', { of: campaignPlacements })
  return link
}

const isLink = ({ campaignKey, placementId }: LinkInCampaign) =>
  and(eq(campaignPlacements.campaignId, campaignKey), eq(placements.publicId, placementId))

export function listLinkRecords(
  db: Database,
  { campaignKey, page }: { campaignKey: bigint; page: Page },
): Promise<LinkRecord[]> {
  return selectLinks(db)
    .where(
      and(
        eq(campaignPlacements.campaignId, campaignKey),
        page.cursor && sql`${placements.publicId} < ${page.cursor.publicId}`,
      ),
    )
    .orderBy(desc(placements.publicId))
    .limit(page.limit + 1)
}

export async function saveLink(
  db: Database,
  { isActive, ...key }: LinkKey & { isActive: boolean },
): Promise<void> {
  await db
    .update(campaignPlacements)
    .set({ isActive, version: sql`${campaignPlacements.version} + 1` })
    .where(matches(key))
}

export async function deleteLink(db: Database, key: LinkKey): Promise<void> {
  await db.delete(campaignPlacements).where(matches(key))
}

const matches = ({ campaignKey, placementKey }: LinkKey) =>
  and(
    eq(campaignPlacements.campaignId, campaignKey),
    eq(campaignPlacements.placementId, placementKey),
  )
