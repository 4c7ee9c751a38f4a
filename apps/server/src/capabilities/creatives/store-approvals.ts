import { and, eq, isNull } from 'drizzle-orm'
import type { ResourceDeps } from '../../platform/resources/index.ts'
import { sites, slots } from '../inventory/tables.ts'
import { creativeApprovals } from './tables.ts'

/** Asks each site that shows the placement to approve the banners; what was asked before stays. */
export async function requestApprovals(
  { db, ids, clock }: ResourceDeps,
  { bannerIds, placementId }: { bannerIds: readonly bigint[]; placementId: bigint },
): Promise<void> {
  const shown = await db
    .selectDistinct({ siteId: sites.id, accountId: sites.accountId })
    .from(slots)
    .innerJoin(sites, eq(sites.id, slots.siteId))
    .where(
      and(eq(slots.placementId, placementId), isNull(slots.deletedAt), isNull(sites.deletedAt)),
    )
  const now = clock.now()
  const rows = shown.flatMap((site) =>
    bannerIds.map((bannerId) => ({
      ...site,
      bannerId,
      publicId: ids.next(),
      createdAt: now,
      updatedAt: now,
    })),
  )
  if (rows.length > 0) await db.insert(creativeApprovals).values(rows).onConflictDoNothing()
}
