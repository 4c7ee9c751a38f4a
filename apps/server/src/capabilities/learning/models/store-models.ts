import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { FeedCursor } from '../../../platform/database/ordered-feed.ts'
import type { LearnedFigures, PackedModel, PackedState } from './learned.ts'

export type Evidence = 'click' | 'conversion'

/** A model as stored. */
export interface ModelRow extends PackedModel {
  readonly version: number
  readonly lessons: number
  readonly verdict: string
  readonly figures: LearnedFigures
  readonly updatedAt: Date
  readonly cursor: FeedCursor
}

const COLUMNS = sql.raw(
  'version, lessons, verdict, figures, state, weights, xid, batch_id, updated_at',
)

export async function findModel(db: Database, evidence: Evidence): Promise<ModelRow | undefined> {
  const { rows } = await db.execute<StoredModel>(
    sql`select ${COLUMNS} from ctr_models where evidence = ${evidence}`,
  )
  return rows[0] && rowOf(rows[0])
}

/** Lets one process train at a time: locks the row until the transaction ends. */
export async function lockModel(db: Database, evidence: Evidence): Promise<ModelRow | undefined> {
  const key = `placard-learning ${evidence}`
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
  return findModel(db, evidence)
}

/** The verdict only. */
export async function findVerdict(db: Database, evidence: Evidence): Promise<string | undefined> {
  const { rows } = await db.execute<{ verdict: string }>(
    sql`select verdict from ctr_models where evidence = ${evidence}`,
  )
  return rows[0]?.verdict
}

/** The version only, without reading the weights. */
export async function findModelVersion(db: Database, evidence: Evidence): Promise<number> {
  const { rows } = await db.execute<{ version: number }>(
    sql`select version from ctr_models where evidence = ${evidence}`,
  )
  return rows[0]?.version ?? 0
}

export async function saveModel(
  db: Database,
  evidence: Evidence,
  { state, weights, ...row }: ModelRow,
): Promise<void> {
  const { version, lessons, verdict, cursor } = row
  const at = row.updatedAt.toISOString()
  await db.execute(sql`
    insert into ctr_models (evidence, ${COLUMNS})
    values (${evidence}, ${version}, ${lessons}, ${verdict}, ${JSON.stringify(row.figures)}::jsonb,
            ${JSON.stringify(state)}::jsonb, ${weights}, ${`${cursor.xid}`}::xid8,
            ${`${cursor.id}`}::bigint, ${at}::timestamptz)
    on conflict (evidence) do update
       set (${COLUMNS}) = (excluded.version, excluded.lessons, excluded.verdict, excluded.figures,
            excluded.state, excluded.weights, excluded.xid, excluded.batch_id, excluded.updated_at)`)
}

type StoredModel = {
  version: number
  lessons: string
  verdict: string
  figures: LearnedFigures
  state: PackedState
  weights: Buffer
  xid: string
  batch_id: string
  updated_at: string
}

const rowOf = (row: StoredModel): ModelRow => ({
  version: row.version,
  lessons: Number(row.lessons),
  verdict: row.verdict,
  figures: row.figures,
  state: row.state,
  weights: row.weights,
  cursor: { xid: BigInt(row.xid), id: BigInt(row.batch_id) },
  updatedAt: new Date(row.updated_at),
})
