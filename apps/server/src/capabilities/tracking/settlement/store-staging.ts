import type { ClientBase, Pool } from 'pg'
import { plainArray, textArray } from '../../../platform/database/arrays.ts'
import type { TrackedEvent } from '../intake/event.ts'
import { packEvents, unpackEvents } from '../intake/packed-events.ts'

/** Events that were acknowledged together and are not settled yet: one row of `event_inbox`. */
export interface StagedBatch {
  readonly id: number
  readonly events: readonly TrackedEvent[]
}

export async function stageBatch(pool: Pool, events: readonly TrackedEvent[]): Promise<number> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'stage-batch',
    text: 'insert into event_inbox (events) values ($1) returning id',
    values: [packEvents(events)],
  })
  return Number(rows[0]!.id)
}

/** In id order. Settled batches are missing. */
export async function readStagedBatches(
  pool: Pool,
  ids: readonly number[],
): Promise<StagedBatch[]> {
  if (ids.length === 0) return []
  const { rows } = await pool.query<{ id: string; events: string }>({
    name: 'read-staged-batches',
    text: 'select id, events from event_inbox where id = any ($1::bigint[]) order by id',
    values: [plainArray(ids)],
  })
  return rows.map(({ id, events }) => ({ id: Number(id), events: unpackEvents(events) }))
}

export interface FoundBatch {
  readonly id: number
  /** Number of events. */
  readonly count: number
  /** Early clicks, to be judged when the older batches are settled. */
  readonly isEarly: boolean
}

/** A click does not wait for batches older than this: some node should have settled them. */
const WAITED_FOR_MS = 60_000
const EARLY_BATCHES_MAX = 10_000

const isWaitedFor = (batch: string) =>
  `not ${batch}.is_early and ${batch}.noted_at > now() - interval '${WAITED_FOR_MS} ms'`

export interface StagedBatchesQuery {
  /** Minimum age, by the database's clock. */
  readonly olderThanMs: number
  /** Batches that this node already works on. */
  readonly except: Iterable<number>
  readonly limit: number
}

/** Old batches, and early clicks that no longer wait for anything. Oldest first. */
export async function listStagedBatches(
  pool: Pool,
  query: StagedBatchesQuery,
): Promise<FoundBatch[]> {
  const { rows } = await pool.query<{ id: string; count: number; is_early: boolean }>(
    `select id, json_array_length(events::json -> 'rows') as count, is_early from event_inbox batch
      where id <> all ($2::bigint[])
        and (noted_at <= now() - $1::float8 * interval '1 ms'
             or is_early and not exists (
               select 1 from event_inbox older where older.id < batch.id and ${isWaitedFor('older')}))
      order by id
      limit $3`,
    [query.olderThanMs, plainArray([...query.except]), query.limit],
  )
  return rows.map(({ id, count, is_early }) => ({ id: Number(id), count, isEarly: is_early }))
}

/** The staging table as this transaction sees it, without the batches it has deleted. */
export interface StagingState {
  /** The oldest batch that a click may wait for. */
  readonly oldestId: number | undefined
  /** The maximum number of early clicks is waiting. */
  readonly isFull: boolean
}

export async function readStagingState(client: ClientBase): Promise<StagingState> {
  const { rows } = await client.query<{ oldest: string | null; early: string }>({
    name: 'read-staging-state',
    text: `
      select min(id) filter (where ${isWaitedFor('batch')}) as oldest,
             count(*) filter (where is_early) as early
        from event_inbox batch`,
  })
  const { oldest, early } = rows[0]!
  return {
    oldestId: oldest === null ? undefined : Number(oldest),
    isFull: Number(early) >= EARLY_BATCHES_MAX,
  }
}

export interface EarlyBatch {
  /** The batch that held them. Undefined for clicks that were not staged. */
  readonly id: number | undefined
  readonly events: readonly TrackedEvent[]
}

/**
 * Runs in the transaction that settles the rest. A batch that another node has restaged exists
 * already.
 */
export async function restageBatches(
  client: ClientBase,
  batches: readonly EarlyBatch[],
): Promise<void> {
  await client.query(
    `insert into event_inbox (id, events, is_early) overriding system value
     select coalesce(id, nextval(pg_get_serial_sequence('event_inbox', 'id'))), events, true
       from unnest($1::bigint[], $2::text[]) as early (id, events)
     on conflict (id) do nothing`,
    [
      plainArray(batches.map(({ id }) => id)),
      textArray(batches.map((batch) => packEvents(batch.events))),
    ],
  )
}

/** Runs in the transaction that settles their events. Returns how many still existed. */
export async function deleteStagedBatches(
  db: ClientBase | Pool,
  ids: readonly number[],
): Promise<number> {
  if (ids.length === 0) return 0
  const { rowCount } = await db.query({
    name: 'delete-staged-batches',
    text: 'delete from event_inbox where id = any ($1::bigint[])',
    values: [plainArray(ids)],
  })
  return rowCount ?? 0
}
