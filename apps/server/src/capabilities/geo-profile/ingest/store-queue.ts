import type { Row } from '../../../platform/database/row.ts'
import { sql } from 'drizzle-orm'
import type { ObservationNote } from '@placard/client/observations'
import { plainArray, textArray } from '../../../platform/database/arrays.ts'
import type { Database } from '../../../platform/database/connect.ts'

export interface QueuedObservation {
  readonly id: string
  readonly userId: string
  readonly deviceSessionId: string
  /** Null if it was erased before it was processed. */
  readonly ipAddress: Buffer | null
  readonly acceptedAtMs: number
  readonly attempts: number
}

/** Adds all or none. False if the switch is off. */
export async function addObservations(
  db: Database,
  notes: readonly ObservationNote[],
  { at, switchName }: { at: Date; switchName: string },
): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    insert into observation_queue (user_id, device_session_id, ip_address, available_at, created_at)
    select note.user_id, note.device_session_id, note.ip_address, ${at}, ${at}
      from unnest(
        ${textArray(notes.map(({ userId }) => userId))}::text[],
        ${textArray(notes.map(({ deviceSessionId }) => deviceSessionId))}::text[],
        ${bytesArray(notes.map(({ ipAddress }) => ipAddress))}::bytea[]
      ) as note (user_id, device_session_id, ip_address)
     where not exists (
       select from switches where name = ${switchName} and version > 0 and not is_on
     )`)
  return rowCount === notes.length
}

const bytesArray = (values: readonly Uint8Array[]): string =>
  `{${values.map((bytes) => String.raw`"\\x${hexOf(bytes)}"`).join(',')}}`

const hexOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')

export interface Claim {
  readonly limit: number
  readonly now: Date
  /** Until then, no other worker claims them. */
  readonly leaseUntil: Date
}

/** Claims due observations, including those of a worker whose lease has ended. */
export async function claimObservations(
  db: Database,
  { limit, now, leaseUntil }: Claim,
): Promise<QueuedObservation[]> {
  const { rows } = await db.execute<Row<QueuedObservation>>(sql`
    with due as (
      select id from observation_queue
       where state in ('accepted', 'processing') and available_at <= ${now}
       order by available_at, id
       limit ${limit}
         for update skip locked
    )
    update observation_queue queue
       set state = 'processing', attempts = attempts + 1, available_at = ${leaseUntil}
      from due
     where queue.id = due.id
    returning queue.id, queue.user_id as "userId", queue.device_session_id as "deviceSessionId",
      queue.ip_address as "ipAddress", queue.attempts,
      (extract(epoch from queue.created_at) * 1000)::float8 as "acceptedAtMs"`)
  return rows
}

export interface ProcessedBatch {
  readonly ids: readonly string[]
  readonly now: Date
  readonly leaseUntil: Date
}

/** Marks them processed and erases their addresses. Returns how many were still ours. */
export async function markProcessed(
  db: Database,
  { ids, now, leaseUntil }: ProcessedBatch,
): Promise<number> {
  const { rowCount } = await db.execute(sql`
    update observation_queue
       set state = 'processed', ip_address = null, last_error = null, settled_at = ${now}
     where id = any(${plainArray(ids)}::bigint[])
       and state = 'processing' and available_at = ${leaseUntil}`)
  return rowCount ?? 0
}

export interface FailedObservation {
  readonly id: string
  readonly reason: string
  readonly now: Date
  /** Undefined: no attempts are left. */
  readonly retryAt: Date | undefined
}

export async function failObservation(
  db: Database,
  { id, reason, now, retryAt }: FailedObservation,
): Promise<void> {
  await db.execute(sql`
    update observation_queue
       set state = ${retryAt ? 'accepted' : 'failed'}, last_error = ${reason.slice(0, 500)},
           available_at = ${retryAt ?? now}, settled_at = ${retryAt ? null : now}
     where id = ${id}::bigint and state = 'processing'`)
}

export interface QueueMeasure {
  readonly depth: number
  readonly oldestSeconds: number
  readonly dead: number
}

const DEPTH_COUNTED_MAX = 1_000_000

export async function measureQueue(db: Database, now: Date): Promise<QueueMeasure> {
  const { rows } = await db.execute<Row<QueueMeasure>>(sql`
    select
      (select count(*)::int from (
        select from observation_queue
         where state in ('accepted', 'processing') limit ${DEPTH_COUNTED_MAX}
      ) waiting) as depth,
      (select count(*)::int from (
        select from observation_queue where state = 'failed' limit ${DEPTH_COUNTED_MAX}
      ) failed) as dead,
      coalesce((
        select greatest(0, extract(epoch from ${now} - created_at))::float8 from observation_queue
         where state in ('accepted', 'processing') order by available_at, id limit 1
      ), 0) as "oldestSeconds"`)
  return rows[0]!
}

const DELETED_AT_ONCE = 50_000

/** Deletes rows processed before the instant, a limited number because it runs beside the work. */
export async function deleteProcessed(db: Database, before: Date): Promise<number> {
  const { rowCount } = await db.execute(sql`
    delete from observation_queue where id in (
      select id from observation_queue
       where created_at < ${before} and state = 'processed' and settled_at < ${before}
       limit ${DELETED_AT_ONCE}
    )`)
  return rowCount ?? 0
}

/** Erases old addresses in every state. */
export async function eraseAddresses(db: Database, acceptedBefore: Date): Promise<number> {
  const { rowCount } = await db.execute(sql`
    update observation_queue set ip_address = null
     where created_at < ${acceptedBefore} and ip_address is not null`)
  return rowCount ?? 0
}

export interface DeadObservation {
  readonly id: string
  readonly userId: string
  readonly deviceSessionId: string
  readonly attempts: number
  readonly reason: string | null
  readonly acceptedAt: string
  readonly failedAt: string
}

export async function listDeadObservations(
  db: Database,
  limit: number,
): Promise<readonly DeadObservation[]> {
  const { rows } = await db.execute<Row<DeadObservation>>(sql`
    select id, user_id as "userId", device_session_id as "deviceSessionId", attempts,
           last_error as reason, to_json(created_at) as "acceptedAt", to_json(settled_at) as "failedAt"
      from observation_queue where state = 'failed'
     order by settled_at desc, id desc limit ${limit}`)
  return rows
}

const REQUEUED_AT_ONCE = 10_000

/** Retries dead letters. One without its address will have no country. */
export async function requeueDead(db: Database, now: Date): Promise<number> {
  const { rowCount } = await db.execute(sql`
    update observation_queue
       set state = 'accepted', attempts = 0, available_at = ${now}, settled_at = null
     where id in (
       select id from observation_queue where state = 'failed' order by settled_at, id
        limit ${REQUEUED_AT_ONCE} for update skip locked
     )`)
  return rowCount ?? 0
}
