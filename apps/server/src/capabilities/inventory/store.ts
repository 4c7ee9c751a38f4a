import { and, count, eq, isNull, min, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'
import { publishers, siteAdProductBlocks, sites, placements } from './tables.ts'

/** True if a live campaign has a banner assigned to the placement. */
export async function hasActiveAssignments(db: Database, placementId: bigint): Promise<boolean> {
  return isTrue(
    db,
    sql`exists (
      select from banner_assignments
      join campaigns on campaigns.id = banner_assignments.campaign_id
      where banner_assignments.placement_id = ${placementId}
        and banner_assignments.is_active and campaigns.deleted_at is null)`,
  )
}

export async function hasInventory(db: Database, publisherId: bigint): Promise<boolean> {
  return isTrue(
    db,
    sql`exists (select from ${sites}
          where ${sites.publisherId} = ${publisherId} and ${sites.deletedAt} is null)
      or exists (select from ${placements}
          where ${placements.publisherId} = ${publisherId} and ${placements.deletedAt} is null)`,
  )
}

/** Locks the publisher, so that it cannot be deleted while something of it is restored. */
export async function lockLivePublisher(db: Database, publisherId: bigint): Promise<boolean> {
  const rows = await db
    .select({ id: publishers.id })
    .from(publishers)
    .where(and(eq(publishers.id, publisherId), sql`${publishers.deletedAt} is null`))
    .for('share')
  return rows.length === 1
}

/** One change of the default at a time; taken before any publisher is locked. */
export async function lockDefaultPublisher(db: Database): Promise<void> {
  await db.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('placard-default-publisher', 0))`,
  )
}

export const hasPublishers = (db: Database): Promise<boolean> =>
  isTrue(db, sql`exists (select from ${publishers} where ${publishers.deletedAt} is null)`)

export async function clearDefaultPublisher(db: Database, now: Date): Promise<void> {
  await db
    .update(publishers)
    .set({ isDefault: false, version: sql`${publishers.version} + 1`, updatedAt: now })
    .where(eq(publishers.isDefault, true))
}

/** The first made becomes the default; none if there is none. */
export async function makeFirstPublisherDefault(db: Database, now: Date): Promise<void> {
  const first = db
    .select({ id: min(publishers.id) })
    .from(publishers)
    .where(isNull(publishers.deletedAt))
  await db
    .update(publishers)
    .set({ isDefault: true, version: sql`${publishers.version} + 1`, updatedAt: now })
    .where(eq(publishers.id, first))
}

export async function haveSamePublisher(
  db: Database,
  { siteId, placementId }: { siteId: bigint; placementId: bigint },
): Promise<boolean> {
  return isTrue(
    db,
    sql`(select ${sites.publisherId} from ${sites} where ${sites.id} = ${siteId})
      = (select ${placements.publisherId} from ${placements} where ${placements.id} = ${placementId})`,
  )
}

async function isTrue(db: Database, condition: ReturnType<typeof sql>): Promise<boolean> {
  const { rows } = await db.execute<{ holds: boolean }>(sql`select ${condition} as holds`)
  return rows[0]!.holds
}

const block = {
  adProductCategory: siteAdProductBlocks.adProductCategory,
  createdAt: siteAdProductBlocks.createdAt,
}

interface BlockKey {
  readonly siteId: bigint
  readonly adProductCategory: string
}

const matches = ({ siteId, adProductCategory }: BlockKey) =>
  and(
    eq(siteAdProductBlocks.siteId, siteId),
    eq(siteAdProductBlocks.adProductCategory, adProductCategory),
  )

export async function listBlocks(db: Database, siteId: bigint, limit: number) {
  return db
    .select(block)
    .from(siteAdProductBlocks)
    .where(eq(siteAdProductBlocks.siteId, siteId))
    .orderBy(siteAdProductBlocks.adProductCategory)
    .limit(limit)
}

export async function findBlock(db: Database, key: BlockKey) {
  const [found] = await db.select(block).from(siteAdProductBlocks).where(matches(key))
  return found
}

export async function countBlocks(db: Database, siteId: bigint): Promise<number> {
  const [row] = await db
    .select({ blocks: count() })
    .from(siteAdProductBlocks)
    .where(eq(siteAdProductBlocks.siteId, siteId))
  return row!.blocks
}

/** False if the category is already blocked. */
export async function addBlock(
  db: Database,
  values: typeof siteAdProductBlocks.$inferInsert,
): Promise<boolean> {
  const added = await db
    .insert(siteAdProductBlocks)
    .values(values)
    .onConflictDoNothing()
    .returning({ siteId: siteAdProductBlocks.siteId })
  return added.length === 1
}

export async function deleteBlock(db: Database, key: BlockKey): Promise<boolean> {
  const deleted = await db
    .delete(siteAdProductBlocks)
    .where(matches(key))
    .returning({ siteId: siteAdProductBlocks.siteId })
  return deleted.length === 1
}
