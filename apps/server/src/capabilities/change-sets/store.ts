import { type ChangeSetState, ROW_OUTCOMES, type RowOutcome } from '@placard/contract/change-sets'
import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'
import { ads, advertisers, campaigns } from '../campaigns/tables.ts'
import { changeSetRows, changeSets } from './tables.ts'

export type ChangeSetRecord = typeof changeSets.$inferSelect
export type ChangeSetRow = typeof changeSetRows.$inferSelect
export type NewRow = Pick<
  ChangeSetRow,
  'entity' | 'entityId' | 'name' | 'currency' | 'change' | 'version'
> &
  Partial<Pick<ChangeSetRow, 'outcome' | 'reason'>>

/** Rows of each set, in total and by outcome. */
export async function readCounts(db: Database, keys: readonly bigint[]) {
  const rows = await db
    .select({
      id: changeSetRows.changeSetId,
      outcome: changeSetRows.outcome,
      rows: sql<number>`count(*)::integer`,
    })
    .from(changeSetRows)
    .where(inArray(changeSetRows.changeSetId, [...keys]))
    .groupBy(changeSetRows.changeSetId, changeSetRows.outcome)
  return new Map(
    keys.map((key) => {
      const own = rows.filter(({ id }) => id === key)
      const of = (outcome: RowOutcome) => own.find((row) => row.outcome === outcome)?.rows ?? 0
      const counts = Object.fromEntries(ROW_OUTCOMES.map((outcome) => [outcome, of(outcome)]))
      return [key, { ...counts, rows: own.reduce((sum, { rows }) => sum + rows, 0) }]
    }),
  )
}

/** Adds the rows of a set in one statement. */
export async function insertSetRows(
  db: Database,
  changeSetId: bigint,
  rows: readonly NewRow[],
): Promise<void> {
  const records = rows.map((row, position) => ({
    change_set_id: String(changeSetId),
    position,
    entity: row.entity,
    entity_id: row.entityId,
    name: row.name,
    currency: row.currency,
    change: row.change,
    version: row.version,
    outcome: row.outcome ?? 'waiting',
    reason: row.reason ?? null,
  }))
  await db.execute(sql`
    insert into change_set_rows
    select * from json_populate_recordset(null::change_set_rows, ${JSON.stringify(records)}::json)`)
}

/** Counts sets that are worked on, and keeps the account from adding others meanwhile. */
export async function lockUnfinished(db: Database, accountId: bigint): Promise<number> {
  await db.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('change sets ' || ${accountId.toString()}::text, 0))`,
  )
  return db.$count(
    changeSets,
    and(
      eq(changeSets.accountId, accountId),
      inArray(changeSets.state, ['checking', 'publishing', 'undoing']),
    ),
  )
}

/** Keeps an account's newest drafts. */
export async function deleteDraftsBeyond(
  db: Database,
  accountId: bigint,
  kept: number,
): Promise<void> {
  await db.execute(sql`
    delete from change_sets where id in (
      select id from change_sets where account_id = ${accountId.toString()}::bigint and state = 'draft'
       order by public_id desc offset ${kept - 1})`)
}

export async function findSet(db: Database, publicId: string) {
  const [found] = await db.select().from(changeSets).where(eq(changeSets.publicId, publicId))
  return found
}

/** Ends a state, unless another run has done so. */
export async function endState(
  db: Database,
  { id, from, to, now }: { id: bigint; from: ChangeSetState; to: ChangeSetState; now: Date },
): Promise<void> {
  await db
    .update(changeSets)
    .set({ state: to, updatedAt: now, version: sql`${changeSets.version} + 1` })
    .where(and(eq(changeSets.id, id), eq(changeSets.state, from)))
}

interface OpenRows {
  readonly changeSetId: bigint
  readonly outcome: RowOutcome
  readonly limit: number
}

export async function listPositions(
  db: Database,
  { changeSetId, outcome, limit }: OpenRows,
): Promise<number[]> {
  const rows = await db
    .select({ position: changeSetRows.position })
    .from(changeSetRows)
    .where(and(eq(changeSetRows.changeSetId, changeSetId), eq(changeSetRows.outcome, outcome)))
    .orderBy(changeSetRows.position)
    .limit(limit)
  return rows.map(({ position }) => position)
}

interface RowKey {
  readonly changeSetId: bigint
  readonly position: number
}

const isRow = ({ changeSetId, position }: RowKey) =>
  and(eq(changeSetRows.changeSetId, changeSetId), eq(changeSetRows.position, position))

/** Locks a row that still has this outcome: no other run works on it. */
export async function lockSetRow(
  db: Database,
  key: RowKey & { readonly outcome: RowOutcome },
): Promise<ChangeSetRow | undefined> {
  const [found] = await db
    .select()
    .from(changeSetRows)
    .where(and(isRow(key), eq(changeSetRows.outcome, key.outcome)))
    .for('update')
  return found
}

export async function saveSetRow(
  db: Database,
  key: RowKey,
  change: Partial<ChangeSetRow>,
): Promise<void> {
  await db.update(changeSetRows).set(change).where(isRow(key))
}

export async function listSetRows(
  db: Database,
  page: {
    readonly changeSetId: bigint
    readonly outcome: RowOutcome | undefined
    readonly after: number
    readonly limit: number
  },
): Promise<ChangeSetRow[]> {
  return db
    .select()
    .from(changeSetRows)
    .where(
      and(
        eq(changeSetRows.changeSetId, page.changeSetId),
        gt(changeSetRows.position, page.after),
        page.outcome && eq(changeSetRows.outcome, page.outcome),
      ),
    )
    .orderBy(asc(changeSetRows.position))
    .limit(page.limit)
}

/** The ads of campaigns, which the caller may change. */
export async function listAdsOf(
  db: Database,
  { campaignIds, limit }: { campaignIds: readonly string[]; limit: number },
) {
  const rows = await db
    .select({
      publicId: ads.publicId,
      name: ads.name,
      version: ads.version,
      bidMicros: ads.bidMicros,
      campaignName: campaigns.name,
      currency: advertisers.currency,
    })
    .from(ads)
    .innerJoin(campaigns, eq(campaigns.id, ads.campaignId))
    .innerJoin(advertisers, eq(advertisers.id, campaigns.advertiserId))
    .where(
      and(
        sql`${campaigns.publicId} = any (${sql.param([...campaignIds])}::uuid[])`,
        isNull(ads.deletedAt),
      ),
    )
    .orderBy(ads.publicId)
    .limit(limit)
  return rows
}

/** Drafts that nobody published, and sets whose undo nobody needs any more. */
export async function deleteOldSets(
  db: Database,
  { drafts, others, limit }: { drafts: Date; others: Date; limit: number },
): Promise<number> {
  const { rowCount } = await db.execute(sql`
    delete from change_sets where id in (
      select id from change_sets
       where updated_at < ${others.toISOString()}::timestamptz
          or (updated_at < ${drafts.toISOString()}::timestamptz and state in ('checking', 'draft'))
       order by id limit ${limit})`)
  return rowCount ?? 0
}
