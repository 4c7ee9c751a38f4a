import { and, desc, eq, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { Page } from '../../../platform/resources/index.ts'
import { sites } from '../../inventory/tables.ts'
import { advertiserSiteBlocks } from '../tables.ts'

interface BlockKey {
  readonly advertiserKey: bigint
  readonly siteKey: bigint
}

/** A site of any account, deleted or not: a block may outlive its site. */
export async function findSite(db: Database, publicId: string) {
  const [site] = await db
    .select({ key: sites.id, deletedAt: sites.deletedAt })
    .from(sites)
    .where(eq(sites.publicId, publicId))
  return site
}

/** False if the site was already blocked. */
export async function addBlock(
  db: Database,
  { advertiserKey, siteKey, now }: BlockKey & { now: Date },
): Promise<boolean> {
  const rows = await db
    .insert(advertiserSiteBlocks)
    .values({ advertiserId: advertiserKey, siteId: siteKey, createdAt: now })
    .onConflictDoNothing()
    .returning({ siteId: advertiserSiteBlocks.siteId })
  return rows.length === 1
}

/** False if the site was not blocked. */
export async function deleteBlock(
  db: Database,
  { advertiserKey, siteKey }: BlockKey,
): Promise<boolean> {
  const rows = await db
    .delete(advertiserSiteBlocks)
    .where(
      and(
        eq(advertiserSiteBlocks.advertiserId, advertiserKey),
        eq(advertiserSiteBlocks.siteId, siteKey),
      ),
    )
    .returning({ siteId: advertiserSiteBlocks.siteId })
  return rows.length === 1
}

const selectBlocks = (db: Database) =>
  db
    .select({
      publicId: sites.publicId,
      siteId: sites.publicId,
      siteName: sites.name,
      siteDomain: sites.domain,
      createdAt: advertiserSiteBlocks.createdAt,
    })
    .from(advertiserSiteBlocks)
    .innerJoin(sites, eq(sites.id, advertiserSiteBlocks.siteId))

export async function findBlock(db: Database, { advertiserKey, siteKey }: BlockKey) {
  const [block] = await selectBlocks(db).where(
    and(eq(advertiserSiteBlocks.advertiserId, advertiserKey), eq(sites.id, siteKey)),
  )
  return block
}

export function listBlockRecords(
  db: Database,
  { advertiserKey, page }: { advertiserKey: bigint; page: Page },
) {
  return selectBlocks(db)
    .where(
      and(
        eq(advertiserSiteBlocks.advertiserId, advertiserKey),
        page.cursor && sql`${sites.publicId} < ${page.cursor.publicId}`,
      ),
    )
    .orderBy(desc(sites.publicId))
    .limit(page.limit + 1)
}
