import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { Page, Scope } from '../../../platform/resources/index.ts'
import { banners } from '../../creatives/tables.ts'
import type { CampaignPlacementKey } from '../placements/store.ts'
import { bannerAssignments } from '../tables.ts'

export interface AssignmentKey extends CampaignPlacementKey {
  readonly bannerKey: bigint
}

/** The fields of an assignment that people set. */
export type AssignmentFields = Partial<
  Omit<
    typeof bannerAssignments.$inferInsert,
    'campaignId' | 'placementId' | 'bannerId' | 'version' | 'createdAt' | 'updatedAt'
  >
>

/** A banner the caller may use, and its advertiser. */
export async function findBannerInScope(
  db: Database,
  { publicId, scope }: { publicId: string; scope: Scope },
) {
  const [banner] = await db
    .select({ key: banners.id, advertiserId: banners.advertiserId })
    .from(banners)
    .where(
      and(
        eq(banners.publicId, publicId),
        isNull(banners.deletedAt),
        scope.isPlatform ? undefined : eq(banners.accountId, scope.accountId),
      ),
    )
    .for('share')
  return banner
}

/** False if the banner was already assigned. */
export async function addAssignment(
  db: Database,
  { key, fields, now }: { key: AssignmentKey; fields: AssignmentFields; now: Date },
): Promise<boolean> {
  const rows = await db
    .insert(bannerAssignments)
    .values({
      ...fields,
      campaignId: key.campaignKey,
      placementId: key.placementKey,
      bannerId: key.bannerKey,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing()
    .returning({ bannerId: bannerAssignments.bannerId })
  return rows.length === 1
}

const assignmentFields = {
  bannerKey: bannerAssignments.bannerId,
  publicId: banners.publicId,
  bannerId: banners.publicId,
  bannerTitle: banners.title,
  displayOrder: bannerAssignments.displayOrder,
  weight: bannerAssignments.weight,
  isFallback: bannerAssignments.isFallback,
  fallbackPriority: bannerAssignments.fallbackPriority,
  isActive: bannerAssignments.isActive,
  overrideCtaLabel: bannerAssignments.overrideCtaLabel,
  overrideCtaUrl: bannerAssignments.overrideCtaUrl,
  overrideHeadline: bannerAssignments.overrideHeadline,
  overrideSubheadline: bannerAssignments.overrideSubheadline,
  transitionDurationMs: bannerAssignments.transitionDurationMs,
  version: bannerAssignments.version,
  createdAt: bannerAssignments.createdAt,
  updatedAt: bannerAssignments.updatedAt,
}

const selectAssignments = (db: Database) =>
  db
    .select(assignmentFields)
    .from(bannerAssignments)
    .innerJoin(banners, eq(banners.id, bannerAssignments.bannerId))

interface AssignmentOnPlacement {
  readonly booking: CampaignPlacementKey
  readonly bannerId: string
}

export async function findAssignment(db: Database, key: AssignmentOnPlacement) {
  const [assignment] = await selectAssignments(db).where(isAssignment(key))
  return assignment
}

/** Locks the assignment until the transaction ends. */
export async function lockAssignment(db: Database, key: AssignmentOnPlacement) {
  const [assignment] = await selectAssignments(db)
    .where(isAssignment(key))
    .for('update', { of: bannerAssignments })
  return assignment
}

const isAssignment = ({ booking, bannerId }: AssignmentOnPlacement) =>
  and(within(booking), eq(banners.publicId, bannerId))

export function listAssignmentRecords(
  db: Database,
  { booking, page }: { booking: CampaignPlacementKey; page: Page },
) {
  const { cursor } = page
  return selectAssignments(db)
    .where(
      and(
        within(booking),
        cursor &&
          sql`(${bannerAssignments.displayOrder}, ${banners.publicId})
            > (${cursor.value}, ${cursor.publicId})`,
      ),
    )
    .orderBy(asc(bannerAssignments.displayOrder), asc(banners.publicId))
    .limit(page.limit + 1)
}

export async function saveAssignment(
  db: Database,
  { key, fields, now }: { key: AssignmentKey; fields: AssignmentFields; now: Date },
): Promise<void> {
  await db
    .update(bannerAssignments)
    .set({ ...fields, updatedAt: now, version: sql`${bannerAssignments.version} + 1` })
    .where(and(within(key), eq(bannerAssignments.bannerId, key.bannerKey)))
}

export async function deleteAssignment(db: Database, key: AssignmentKey): Promise<void> {
  await db
    .delete(bannerAssignments)
    .where(and(within(key), eq(bannerAssignments.bannerId, key.bannerKey)))
}

/** Deletes all assignments of a campaign placement and returns them. */
export async function deleteAssignmentsOf(db: Database, booking: CampaignPlacementKey) {
  const rows = await selectAssignments(db)
    .where(within(booking))
    .for('update', { of: bannerAssignments })
  await db.delete(bannerAssignments).where(within(booking))
  return rows
}

const within = ({ campaignKey, placementKey }: CampaignPlacementKey) =>
  and(
    eq(bannerAssignments.campaignId, campaignKey),
    eq(bannerAssignments.placementId, placementKey),
  )
