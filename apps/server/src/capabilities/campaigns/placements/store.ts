import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { Page, Scope } from '../../../platform/resources/index.ts'
import { placements } from '../../inventory/tables.ts'
import { campaignPlacements, campaigns } from '../tables.ts'

export interface CampaignPlacementKey {
  readonly campaignKey: bigint
  readonly placementKey: bigint
}

export interface CampaignPlacementRecord extends CampaignPlacementKey {
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

/** The same, locked until the transaction ends. */
export async function shareLockCampaignInScope(db: Database, key: CampaignInScope) {
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

/** A placement of any account: campaigns run on other publishers' sites. */
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
  { campaignKey, placementKey }: CampaignPlacementKey,
): Promise<boolean> {
  const { rows } = await db.execute<{ may: boolean }>(sql`
    select v.house_publisher_id is null or v.house_publisher_id = p.publisher_id as may
      from campaigns c join advertisers v on v.id = c.advertiser_id, placements p
     where c.id = ${`${campaignKey}`}::bigint and p.id = ${`${placementKey}`}::bigint`)
  return rows[0]?.may === true
}

/** False if the campaign was already on the placement. */
export async function addCampaignPlacement(
  db: Database,
  {
    campaignKey,
    placementKey,
    isActive,
    now,
  }: CampaignPlacementKey & { isActive: boolean; now: Date },
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

const campaignPlacementFields = {
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

const selectCampaignPlacements = (db: Database) =>
  db
    .select(campaignPlacementFields)
    .from(campaignPlacements)
    .innerJoin(campaigns, eq(campaigns.id, campaignPlacements.campaignId))
    .innerJoin(placements, eq(placements.id, campaignPlacements.placementId))

interface PlacementInCampaign {
  readonly campaignKey: bigint
  readonly placementId: string
}

export async function findCampaignPlacement(
  db: Database,
  key: PlacementInCampaign,
): Promise<CampaignPlacementRecord | undefined> {
  const [booking] = await selectCampaignPlacements(db).where(isCampaignPlacement(key))
  return booking
}

/** Locks the campaign placement until the transaction ends. */
export async function lockCampaignPlacement(
  db: Database,
  key: PlacementInCampaign,
): Promise<CampaignPlacementRecord | undefined> {
  const [booking] = await selectCampaignPlacements(db)
    .where(isCampaignPlacement(key))
    .for('update', { of: campaignPlacements })
  return booking
}

const isCampaignPlacement = ({ campaignKey, placementId }: PlacementInCampaign) =>
  and(eq(campaignPlacements.campaignId, campaignKey), eq(placements.publicId, placementId))

export function listPlacementRecords(
  db: Database,
  { campaignKey, page }: { campaignKey: bigint; page: Page },
): Promise<CampaignPlacementRecord[]> {
  return selectCampaignPlacements(db)
    .where(
      and(
        eq(campaignPlacements.campaignId, campaignKey),
        page.cursor && sql`${placements.publicId} < ${page.cursor.publicId}`,
      ),
    )
    .orderBy(desc(placements.publicId))
    .limit(page.limit + 1)
}

export async function saveCampaignPlacement(
  db: Database,
  { isActive, ...key }: CampaignPlacementKey & { isActive: boolean },
): Promise<void> {
  await db
    .update(campaignPlacements)
    .set({ isActive, version: sql`${campaignPlacements.version} + 1` })
    .where(matches(key))
}

export async function deleteCampaignPlacement(
  db: Database,
  key: CampaignPlacementKey,
): Promise<void> {
  await db.delete(campaignPlacements).where(matches(key))
}

const matches = ({ campaignKey, placementKey }: CampaignPlacementKey) =>
  and(
    eq(campaignPlacements.campaignId, campaignKey),
    eq(campaignPlacements.placementId, placementKey),
  )
