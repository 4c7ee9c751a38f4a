import { and, eq, getTableColumns, isNull, lte, ne, or, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { siteDomainChecks, sites } from '../tables.ts'
import type { DomainProof } from './domain.ts'

const CLAIM = {
  id: sites.id,
  publicId: sites.publicId,
  accountId: sites.accountId,
  name: sites.name,
  domain: sites.domain,
  token: sites.domainToken,
  seedUrl: sites.seedUrl,
  provenBy: sites.domainProvenBy,
}

/** A site that is not deleted, as a claim to its domain. */
export async function findClaim(db: Database, siteId: bigint) {
  const [claim] = await db.select(CLAIM).from(sites).where(live(siteId))
  return claim
}

/** The same, locked until the transaction ends. */
export async function lockClaim(db: Database, siteId: bigint) {
  const [claim] = await db.select(CLAIM).from(sites).where(live(siteId)).for('update')
  return claim
}

export type Claim = NonNullable<Awaited<ReturnType<typeof findClaim>>>

const live = (siteId: bigint) => and(eq(sites.id, siteId), isNull(sites.deletedAt))

/** Whether another publisher has proven the domain. `localhost` is every machine's own. */
export async function isHeldByAnother(
  db: Database,
  { id, domain }: Pick<Claim, 'id' | 'domain'>,
): Promise<boolean> {
  const [holder] = await db
    .select({ id: sites.id })
    .from(sites)
    .where(
      and(
        eq(sites.domain, domain),
        ne(sites.domain, 'localhost'),
        ne(sites.id, id),
        isNull(sites.deletedAt),
        eq(sites.domainState, 'proven'),
      ),
    )
    .limit(1)
  return holder !== undefined
}

/** Leaves the version alone: nobody's edit of the site is outdated by it. */
export async function saveProof(
  db: Database,
  siteId: bigint,
  { provenBy, now }: { provenBy: DomainProof | null; now: Date },
): Promise<void> {
  await db
    .update(sites)
    .set({
      domainProvenBy: provenBy,
      domainProvenAt: provenBy && now,
      updatedAt: now,
    })
    .where(eq(sites.id, siteId))
}

export async function findCheck(db: Database, siteId: bigint) {
  const [check] = await db
    .select()
    .from(siteDomainChecks)
    .where(eq(siteDomainChecks.siteId, siteId))
  return check
}

type Check = typeof siteDomainChecks.$inferInsert

/** Writes these columns of the site's check, whether or not it has been checked before. */
export async function saveCheck(db: Database, { siteId, ...check }: Check): Promise<void> {
  await db
    .insert(siteDomainChecks)
    .values({ siteId, ...check })
    .onConflictDoUpdate({ target: siteDomainChecks.siteId, set: check })
}

/** A changed domain starts afresh. */
export async function forgetCheck(db: Database, siteId: bigint): Promise<void> {
  await db.delete(siteDomainChecks).where(eq(siteDomainChecks.siteId, siteId))
}

/** Sites whose look is due, those that waited longest first. */
export async function listDueSites(db: Database, now: Date, limit: number) {
  const { nextAt, siteId } = getTableColumns(siteDomainChecks)
  const isNew = and(isNull(siteId), eq(sites.domainState, 'unproven'))
  return db
    .select({ id: sites.id })
    .from(sites)
    .leftJoin(siteDomainChecks, eq(siteId, sites.id))
    .where(and(isNull(sites.deletedAt), eq(sites.isActive, true), or(isNew, lte(nextAt, now))))
    .orderBy(sql`${nextAt} nulls first`, sites.id)
    .limit(limit)
}
