import { and, eq, isNull, like } from 'drizzle-orm'
import { sites } from '../../../server/src/capabilities/inventory/tables.ts'
import type { Database } from '../../../server/src/platform/database/connect.ts'
import type { DemoSite } from '../data/sellers.ts'

/** Public id of the site with this domain, and with the path of this seed if one is given. */
export async function findSiteId(
  db: Database,
  { domain, seedUrl }: DemoSite,
): Promise<string | undefined> {
  const seedPath = seedUrl ? new URL(seedUrl).pathname : ''
  const [site] = await db
    .select({ publicId: sites.publicId })
    .from(sites)
    .where(
      and(
        eq(sites.domain, domain),
        isNull(sites.deletedAt),
        seedPath ? like(sites.seedUrl, `%${seedPath}`) : undefined,
      ),
    )
    .limit(1)
  return site?.publicId
}
