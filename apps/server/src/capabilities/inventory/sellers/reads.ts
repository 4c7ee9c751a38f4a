import { and, eq, exists, isNull } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { placements, publishers, sites } from '../tables.ts'
import type { AuthorisedSite } from './ads-txt.ts'
import type { Seller } from './sellers-json.ts'

/** A proven site: nobody else speaks for the domain. */
export async function findAuthorisedSite(
  db: Database,
  domain: string,
): Promise<AuthorisedSite | undefined> {
  const [site] = await db
    .select({
      domain: sites.domain,
      adsTxtLines: sites.adsTxtLines,
      publisherId: publishers.publicId,
      ownerDomain: publishers.domain,
    })
    .from(sites)
    .innerJoin(publishers, eq(publishers.id, sites.publisherId))
    .where(
      and(
        eq(sites.domain, domain),
        eq(sites.domainState, 'proven'),
        isNull(sites.deletedAt),
        isNull(publishers.deletedAt),
      ),
    )
    .limit(1)
  return site
}

const SELLERS_MAX = 50_000

/** Publishers that have something to sell. */
export function listSellers(db: Database): Promise<readonly Seller[]> {
  const active = db
    .select({ id: placements.id })
    .from(placements)
    .where(
      and(
        eq(placements.publisherId, publishers.id),
        eq(placements.isActive, true),
        isNull(placements.deletedAt),
      ),
    )
  return db
    .select({
      publisherId: publishers.publicId,
      name: publishers.name,
      domain: publishers.domain,
      isConfidential: publishers.isConfidential,
    })
    .from(publishers)
    .where(and(isNull(publishers.deletedAt), exists(active)))
    .orderBy(publishers.id)
    .limit(SELLERS_MAX)
}
