import { eq, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { sites } from '../../inventory/tables.ts'
import { siteCrawls } from '../tables.ts'

/** Sites of their publishers' own with a seed, and when they were crawled last. */
export function listCrawlable(db: Database, limit: number) {
  return db
    .select({ id: sites.id, crawlCron: sites.crawlCron, startedAt: siteCrawls.startedAt })
    .from(sites)
    .leftJoin(siteCrawls, eq(siteCrawls.siteId, sites.id))
    .where(
      sql`${sites.isActive} and ${sites.deletedAt} is null and ${sites.domainState} = 'proven'
        and ${sites.seedUrl} is not null
        and (${sites.crawlCron} is not null or ${siteCrawls.siteId} is null)`,
    )
    .orderBy(sites.id)
    .limit(limit)
}

export async function startCrawl(db: Database, siteId: bigint, now: Date): Promise<void> {
  const fresh = { startedAt: now, finishedAt: null, pagesRead: 0, fault: null }
  await db
    .insert(siteCrawls)
    .values({ siteId, ...fresh })
    .onConflictDoUpdate({ target: siteCrawls.siteId, set: fresh })
}

export async function finishCrawl(
  db: Database,
  siteId: bigint,
  outcome: { pagesRead: number; fault: string | null; now: Date },
): Promise<void> {
  const { pagesRead, fault, now } = outcome
  await db
    .update(siteCrawls)
    .set({ finishedAt: now, pagesRead, fault })
    .where(eq(siteCrawls.siteId, siteId))
}

export async function findCrawl(db: Database, siteId: bigint) {
  const [crawl] = await db.select().from(siteCrawls).where(eq(siteCrawls.siteId, siteId))
  return crawl
}
