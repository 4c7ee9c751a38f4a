import { and, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { ScheduleStatus } from './banner.ts'
import { banners } from '../tables.ts'

/** Banners whose status is behind their dates. Skips those that another transaction has locked. */
export function lockDueBanners(db: Database, { now, limit }: { now: Date; limit: number }) {
  return db
    .select({ id: banners.id, publishAt: banners.publishAt, expiresAt: banners.expiresAt })
    .from(banners)
    .where(
      and(
        isNull(banners.deletedAt),
        or(
          and(eq(banners.scheduleStatus, 'scheduled'), lte(banners.publishAt, now)),
          and(
            inArray(banners.scheduleStatus, ['scheduled', 'active']),
            lte(banners.expiresAt, now),
          ),
        ),
      ),
    )
    .orderBy(banners.id)
    .limit(limit)
    .for('update', { skipLocked: true })
}

export async function saveScheduleStatus(
  db: Database,
  { ids, status, now }: { ids: readonly bigint[]; status: ScheduleStatus; now: Date },
): Promise<void> {
  await db
    .update(banners)
    .set({ scheduleStatus: status, updatedAt: now, version: sql`${banners.version} + 1` })
    .where(inArray(banners.id, [...ids]))
}
