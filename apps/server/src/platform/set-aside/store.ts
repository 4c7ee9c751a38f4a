import { asc, lt, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../database/connect.ts'
import { setAsideRows } from './tables.ts'

export interface RefusedRow {
  /** The table, as the change feed names it. */
  readonly entity: string
  readonly entityId: number
  readonly reason: string
  readonly since: Date
}

/** Replaces the entries of a reader that knows all of them. */
export async function saveRefused(db: Database, reader: string, refusals: Refusals): Promise<void> {
  await saveLines(db, reader, {
    ...refusals,
    mended: sql`not exists (select 1 from refused t
                             where t.entity = s.entity and t."entityId" = s.entity_id)`,
  })
}

/** After a round over some rows of a table: saves which were refused and which were not. */
export async function saveRound(db: Database, reader: string, round: Round): Promise<void> {
  const { entity, takenIds } = round
  await saveLines(db, reader, {
    ...round,
    mended: sql`s.entity = ${entity} and s.entity_id = any(${`{${takenIds.join()}}`}::bigint[])`,
  })
}

interface Refusals {
  readonly refused: readonly RefusedRow[]
  readonly at: Date
}

interface Round extends Refusals {
  readonly entity: string
  readonly takenIds: readonly number[]
}

async function saveLines(
  db: Database,
  reader: string,
  { refused, at, mended }: Refusals & { readonly mended: SQL },
): Promise<void> {
  const seenAt = at.toISOString()
  await db.execute(sql`
    with refused as (
      select * from jsonb_to_recordset(${JSON.stringify(refused)}::jsonb)
        as t(entity text, "entityId" bigint, reason text, since timestamptz)
    ), gone as (
      delete from set_aside_rows s where s.reader = ${reader} and ${mended}
    )
    insert into set_aside_rows (reader, entity, entity_id, reason, since, seen_at)
    select ${reader}, entity, "entityId", reason, since, ${seenAt}::timestamptz
      from refused order by entity, "entityId"
    on conflict (reader, entity, entity_id)
      do update set reason = excluded.reason, seen_at = excluded.seen_at`)
}

/** Deletes entries that no reader has confirmed since: their rows are gone. Returns how many. */
export async function forgetUnconfirmed(db: Database, since: Date): Promise<number> {
  const gone = await db
    .delete(setAsideRows)
    .where(lt(setAsideRows.seenAt, since))
    .returning({ id: setAsideRows.id })
  return gone.length
}

const LISTED_MAX = 200

/** Longest set aside first, with the row's public id if its table has one. */
export async function listRefused(db: Database) {
  const rows = await db
    .select({
      reader: setAsideRows.reader,
      entity: setAsideRows.entity,
      entityId: setAsideRows.entityId,
      reason: setAsideRows.reason,
      since: setAsideRows.since,
    })
    .from(setAsideRows)
    .orderBy(asc(setAsideRows.since), asc(setAsideRows.id))
    .limit(LISTED_MAX)
  const publicIds = await findPublicIds(db, rows)
  return rows.map(({ entityId, ...row }) => ({
    ...row,
    publicId: publicIds.get(`${row.entity} ${entityId}`),
  }))
}

/** Number of entries per reader. */
export async function countRefused(db: Database) {
  const { rows } = await db.execute<{ reader: string; count: number }>(
    sql`select reader, count(*)::float8 as count from set_aside_rows group by reader`,
  )
  return rows
}

/** Rows below a campaign are identified by the campaign's key. */
const KEYED_BY: Readonly<Record<string, string>> = {
  campaign_placements: 'campaigns',
  banner_assignments: 'campaigns',
  campaign_targeting_rules: 'campaigns',
  advertiser_site_blocks: 'advertisers',
  site_ad_product_blocks: 'sites',
}

interface Keyed {
  readonly entity: string
  readonly entityId: bigint
}

async function findPublicIds(
  db: Database,
  rows: readonly Keyed[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const [entity, keyed] of Map.groupBy(rows, ({ entity }) => entity)) {
    const table = KEYED_BY[entity] ?? entity
    if (!(await hasPublicId(db, table))) continue
    const ids = `{${keyed.map(({ entityId }) => entityId).join()}}`
    const { rows: named } = await db.execute<{ id: string; publicId: string }>(
      sql`select id::text, public_id as "publicId" from ${sql.identifier(table)}
           where id = any(${ids}::bigint[])`,
    )
    for (const { id, publicId } of named) found.set(`${entity} ${id}`, publicId)
  }
  return found
}

async function hasPublicId(db: Database, table: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    select 1 from pg_attribute
     where attrelid = to_regclass(${table}) and attname = 'public_id' and not attisdropped`)
  return rowCount === 1
}
