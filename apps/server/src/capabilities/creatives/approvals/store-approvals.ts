import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { sites, slots } from '../../inventory/tables.ts'
import { banners, creativeApprovals } from '../tables.ts'

/** Sites that show the placement and were never asked about these banners. */
export async function listMissingApprovals(
  db: Database,
  { bannerIds, placementId }: { bannerIds: readonly bigint[]; placementId: bigint },
) {
  return (
    db
      .selectDistinct({
        siteId: sites.id,
        accountId: sites.accountId,
        bannerId: banners.id,
        bannerAccountId: banners.accountId,
      })
      .from(slots)
      .innerJoin(sites, and(eq(sites.id, slots.siteId), isNull(sites.deletedAt)))
      .innerJoin(banners, sql`${banners.id} = any(${sql.param(bannerIds.map(String))}::bigint[])`)
      .leftJoin(
        creativeApprovals,
        and(eq(creativeApprovals.siteId, sites.id), eq(creativeApprovals.bannerId, banners.id)),
      )
      .where(
        and(
          eq(slots.placementId, placementId),
          isNull(slots.deletedAt),
          isNull(creativeApprovals.id),
        ),
      )
      // A fixed order, so that two transactions with the same pairs do not deadlock.
      .orderBy(banners.id, sites.id)
  )
}

const INSERT_ROWS = 1_000

/** Adds missing approvals. Two bookings of one banner may do so at the same time. */
export async function addApprovals(
  db: Database,
  rows: readonly (typeof creativeApprovals.$inferInsert)[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += INSERT_ROWS) {
    await db
      .insert(creativeApprovals)
      .values(rows.slice(start, start + INSERT_ROWS))
      .onConflictDoNothing()
  }
}

/** Banners booked on a placement, by assignment or by an ad of a campaign that runs there. */
export async function listBookedBanners(db: Database, placementId: bigint): Promise<bigint[]> {
  const { rows } = await db.execute<{ banner_id: string }>(sql`
    select banner_id from banner_assignments where placement_id = ${placementId}
    union
    select ads.banner_id from ads
    join campaign_placements on campaign_placements.campaign_id = ads.campaign_id
    where campaign_placements.placement_id = ${placementId} and ads.deleted_at is null`)
  return rows.map((row) => BigInt(row.banner_id))
}

/** Locks the approvals of a banner, so that none is decided while its content changes. */
export async function lockApprovals(db: Database, bannerId: bigint) {
  return db
    .select({
      publicId: creativeApprovals.publicId,
      accountId: creativeApprovals.accountId,
      status: creativeApprovals.status,
      reason: creativeApprovals.reason,
    })
    .from(creativeApprovals)
    .where(eq(creativeApprovals.bannerId, bannerId))
    .orderBy(creativeApprovals.id)
    .for('update')
}

/**
 * Gives pending approvals a new version too: a reviewer who saw the old content cannot approve the
 * new.
 */
export async function resetApprovals(db: Database, bannerId: bigint, now: Date): Promise<void> {
  await db
    .update(creativeApprovals)
    .set({
      status: 'pending',
      reason: null,
      decidedBy: null,
      decidedAt: null,
      updatedAt: now,
      version: sql`${creativeApprovals.version} + 1`,
    })
    .where(eq(creativeApprovals.bannerId, bannerId))
}
