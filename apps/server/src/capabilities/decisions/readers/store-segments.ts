import { and, asc, eq, gt, inArray, lt, ne, or, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { UserSegments } from './segments.ts'
import { userSegments } from '../tables.ts'

const columns = { userKey: userSegments.userKey, segments: userSegments.segments }
const isEmpty = eq(userSegments.segments, sql`'{}'`)
const isFilled = ne(userSegments.segments, sql`'{}'`)

/**
 * Replaces the stored segments. An empty list stays for a while, so that every node learns of it.
 */
export async function saveSegments(
  db: Database,
  { userKey, segments, at }: UserSegments & { readonly at: Date },
): Promise<void> {
  const values = { segments: [...segments], updatedAt: at }
  await db
    .insert(userSegments)
    .values({ userKey, ...values })
    .onConflictDoUpdate({ target: userSegments.userKey, set: values })
}

export function listSegmentsByIds(
  db: Database,
  ids: readonly bigint[],
): Promise<readonly UserSegments[]> {
  return db
    .select(columns)
    .from(userSegments)
    .where(inArray(userSegments.id, [...ids]))
}

export async function countFilledSegments(db: Database): Promise<number> {
  return db.$count(userSegments, isFilled)
}

const PAGE = 10_000

/** All users with segments, the ones updated longest ago first. */
export async function* pagesOfSegments(db: Database): AsyncGenerator<readonly UserSegments[]> {
  let after: { updatedAt: Date; id: bigint } | undefined
  do {
    const rows = await db
      .select({ ...columns, id: userSegments.id, updatedAt: userSegments.updatedAt })
      .from(userSegments)
      .where(
        and(
          isFilled,
          after &&
            or(
              gt(userSegments.updatedAt, after.updatedAt),
              and(eq(userSegments.updatedAt, after.updatedAt), gt(userSegments.id, after.id)),
            ),
        ),
      )
      .orderBy(asc(userSegments.updatedAt), asc(userSegments.id))
      .limit(PAGE)
    yield rows
    after = rows.length === PAGE ? rows.at(-1) : undefined
  } while (after)
}

export interface Forgetting {
  /** Users not updated since then are emptied. */
  readonly unheardSince: Date
  /** Users emptied before then are gone from every node and are deleted. */
  readonly emptySince: Date
  readonly at: Date
  readonly limit: number
}

/**
 * Forgets in two steps: empties first, so that every node learns of it, and deletes later. Returns
 * how many.
 */
export async function forgetSegments(
  db: Database,
  { unheardSince, emptySince, at, limit }: Forgetting,
): Promise<number> {
  const old = db
    .select({ id: userSegments.id })
    .from(userSegments)
    .where(and(isFilled, lt(userSegments.updatedAt, unheardSince)))
    .limit(limit)
  const emptied = await db
    .update(userSegments)
    .set({ segments: [], updatedAt: at })
    .where(inArray(userSegments.id, old))
    .returning({ id: userSegments.id })
  const gone = db
    .select({ id: userSegments.id })
    .from(userSegments)
    .where(and(isEmpty, lt(userSegments.updatedAt, emptySince)))
    .limit(limit)
  await db.delete(userSegments).where(inArray(userSegments.id, gone))
  return emptied.length
}

/**
 * Returns how many segments there were. The row stays for a while, so that every node learns of it.
 */
export async function emptySegments(db: Database, userKey: string, at: Date): Promise<number> {
  const emptied = await db
    .update(userSegments)
    .set({ segments: [], updatedAt: at })
    .where(and(eq(userSegments.userKey, userKey), isFilled))
    .returning({ id: userSegments.id })
  return emptied.length
}
