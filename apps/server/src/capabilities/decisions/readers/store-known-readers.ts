import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { userSegments } from '../tables.ts'
import type { KnownReader } from './reader-memory.ts'

const hasSegments = ne(userSegments.segments, sql`'{}'`)
const isKnown = and(
  isNotNull(userSegments.accountId),
  or(hasSegments, isNotNull(userSegments.purchasedAt)),
)
const isEmpty = and(eq(userSegments.segments, sql`'{}'`), isNull(userSegments.purchasedAt))

export interface SaidSegments {
  readonly userKey: string
  readonly publisherKey: number
  readonly segments: readonly string[]
  readonly at: Date
}

/**
 * Replaces the stored segments. An empty list stays for a while, so that every node learns of it.
 */
export async function saveSegments(
  db: Database,
  { userKey, publisherKey, segments, at }: SaidSegments,
): Promise<void> {
  const values = { accountId: BigInt(publisherKey), segments: [...segments], updatedAt: at }
  await db
    .insert(userSegments)
    .values({ userKey, ...values })
    .onConflictDoUpdate({ target: userSegments.userKey, set: values })
}

export interface Purchase {
  readonly userKey: string
  /** Where the ad was shown that the purchase is credited to. */
  readonly placementKey: number
  readonly atMs: number
}

/** Keeps the reader's newest purchase, in the transaction that counts it. */
export async function savePurchase(
  db: Database,
  { userKey, placementKey, atMs }: Purchase,
): Promise<void> {
  const at = sql`${new Date(atMs).toISOString()}::timestamptz`
  await db.execute(sql`
    insert into user_segments as known (user_key, account_id, segments, purchased_at, updated_at)
      select ${userKey}, u.account_id, '{}', ${at}, ${at}
        from placements p join publishers u on u.id = p.publisher_id
       where p.id = ${placementKey}
    on conflict (user_key) do update
      set purchased_at = excluded.purchased_at, account_id = excluded.account_id
      where known.purchased_at is null or known.purchased_at < excluded.purchased_at`)
}

const columns = {
  userKey: userSegments.userKey,
  accountId: userSegments.accountId,
  /** A list that came from elsewhere may hold no text at some place. */
  segments: sql<string[]>`array_remove(${userSegments.segments}, null)`,
  purchasedAt: userSegments.purchasedAt,
}

interface Row {
  readonly userKey: string
  readonly accountId: bigint | null
  readonly segments: readonly string[]
  readonly purchasedAt: Date | null
}

const knownOf = ({ userKey, accountId, segments, purchasedAt }: Row): KnownReader => ({
  userKey,
  publisherKey: Number(accountId),
  segments,
  purchasedAtMs: purchasedAt?.getTime(),
})

/** Also those of whom nothing is known any more. */
export async function listKnownReaders(
  db: Database,
  ids: readonly bigint[],
): Promise<readonly KnownReader[]> {
  const rows = await db
    .select(columns)
    .from(userSegments)
    .where(and(inArray(userSegments.id, [...ids]), isNotNull(userSegments.accountId)))
  return rows.map(knownOf)
}

export async function countKnownReaders(db: Database): Promise<number> {
  return db.$count(userSegments, isKnown)
}

const PAGE = 10_000

/** All readers of whom something is known, the ones updated longest ago first. */
export async function* pagesOfKnownReaders(db: Database): AsyncGenerator<readonly KnownReader[]> {
  let after: { updatedAt: Date; id: bigint } | undefined
  do {
    const rows = await db
      .select({ ...columns, id: userSegments.id, updatedAt: userSegments.updatedAt })
      .from(userSegments)
      .where(
        and(
          isKnown,
          after &&
            or(
              gt(userSegments.updatedAt, after.updatedAt),
              and(eq(userSegments.updatedAt, after.updatedAt), gt(userSegments.id, after.id)),
            ),
        ),
      )
      .orderBy(asc(userSegments.updatedAt), asc(userSegments.id))
      .limit(PAGE)
    yield rows.map(knownOf)
    after = rows.length === PAGE ? rows.at(-1) : undefined
  } while (after)
}

export interface Forgetting {
  /** Segments not said since then are forgotten. */
  readonly unheardSince: Date
  /** Purchases before then are forgotten. */
  readonly boughtSince: Date
  /** Readers emptied before then are gone from every node and are deleted. */
  readonly emptySince: Date
  readonly at: Date
  readonly limit: number
}

/**
 * Forgets in two steps: empties first, so that every node learns of it, and deletes later. Returns
 * of how many.
 */
export async function forgetOldFacts(db: Database, forgetting: Forgetting): Promise<number> {
  const { unheardSince, boughtSince, emptySince, at, limit } = forgetting
  const some = (where: ReturnType<typeof and>) =>
    db.select({ id: userSegments.id }).from(userSegments).where(where).limit(limit)
  const unheard = some(and(hasSegments, lt(userSegments.updatedAt, unheardSince)))
  const emptied = await db
    .update(userSegments)
    .set({ segments: [], updatedAt: at })
    .where(inArray(userSegments.id, unheard))
    .returning({ id: userSegments.id })
  const bought = some(lt(userSegments.purchasedAt, boughtSince))
  const cleared = await db
    .update(userSegments)
    .set({
      purchasedAt: null,
      updatedAt: sql`case when segments = '{}' then ${at.toISOString()}::timestamptz else updated_at end`,
    })
    .where(inArray(userSegments.id, bought))
    .returning({ id: userSegments.id })
  const gone = some(and(isEmpty, lt(userSegments.updatedAt, emptySince)))
  await db.delete(userSegments).where(inArray(userSegments.id, gone))
  return emptied.length + cleared.length
}

/**
 * Returns of how many of these readers something was known. The rows stay for a while, so that every
 * node learns of it.
 */
export async function emptyReaders(
  db: Database,
  userKeys: readonly string[],
  at: Date,
): Promise<number> {
  const emptied = await db
    .update(userSegments)
    .set({ segments: [], purchasedAt: null, updatedAt: at })
    .where(
      and(
        inArray(userSegments.userKey, [...userKeys]),
        or(hasSegments, isNotNull(userSegments.purchasedAt)),
      ),
    )
    .returning({ id: userSegments.id })
  return emptied.length
}
