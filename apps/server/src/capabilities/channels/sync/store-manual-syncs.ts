import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { Row } from '../../../platform/database/row.ts'
import type { Level } from '../providers/stat.ts'

/** One level of one advertiser. The requesting user gets its id. */
export interface ManualSync {
  readonly publicId: string
  readonly advertiserKey: string
  readonly level: Level
  readonly day: string
  readonly now: Date
}

export async function addManualSync(db: Database, sync: ManualSync): Promise<void> {
  const at = sql`${sync.now.toISOString()}::timestamptz`
  await db.execute(sql`
    insert into channel_syncs (public_id, advertiser_id, level, day, due_at, requested_at)
    values (${sync.publicId}::uuid, ${sync.advertiserKey}::bigint, ${sync.level}, ${sync.day}::date, ${at}, ${at})`)
}

/** A run takes four minutes at most. If it seems to take longer, its worker has crashed. */
const LOST_AFTER = sql`interval '10 minutes'`

export interface LastRequest {
  readonly requestedAt: Date
  readonly day: string
  /** Syncs that run or are about to run, without those that wait for a retry. */
  readonly underWay: readonly string[]
}

export async function findLastRequest(
  db: Database,
  advertiserKey: string,
  now: Date,
): Promise<LastRequest | undefined> {
  const at = sql`${now.toISOString()}::timestamptz`
  const { rows } = await db.execute<
    Row<{ requested: string; day: string; underWay: string[] }>
  >(sql`
    select requested_at::text as requested, day::text as day,
           coalesce(array_agg(public_id::text order by public_id) filter (where
             state = 'waiting' and due_at <= ${at} and ${at} - due_at < ${LOST_AFTER}
             or state = 'running' and ${at} - started_at < ${LOST_AFTER}), '{}') as "underWay"
      from channel_syncs
     where advertiser_id = ${advertiserKey}::bigint
     group by requested_at, day order by requested_at desc limit 1`)
  const [row] = rows
  return row && { ...row, requestedAt: new Date(row.requested) }
}

/** A new request replaces those that wait for a retry. */
export async function replaceWaiting(
  db: Database,
  advertiserKey: string,
  now: Date,
): Promise<void> {
  await db.execute(sql`
    update channel_syncs set state = 'replaced', finished_at = ${now.toISOString()}::timestamptz
     where advertiser_id = ${advertiserKey}::bigint and state = 'waiting'`)
}

/** False if a newer request replaced it. */
export async function startManualSync(
  db: Database,
  publicId: string,
  { attempt, now }: { readonly attempt: number; readonly now: Date },
): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    update channel_syncs
       set state = 'running', attempt = ${attempt}, started_at = ${now.toISOString()}::timestamptz
     where public_id = ${publicId}::uuid and state in ('waiting', 'running')`)
  return rowCount === 1
}

interface Waits {
  readonly dueAt: Date
  /** Absent if it waits because a connection is paused. */
  readonly failure?: string
}

export async function postponeManualSync(
  db: Database,
  publicId: string,
  { dueAt, failure }: Waits,
) {
  await db.execute(sql`
    update channel_syncs
       set state = 'waiting', due_at = ${dueAt.toISOString()}::timestamptz, failure = ${failure ?? null}
     where public_id = ${publicId}::uuid and state = 'running'`)
}

interface Outcome {
  readonly now: Date
  readonly failure?: string
  readonly rawInserted?: number
  readonly dailyUpserted?: number
  readonly sellpageUpserted?: number
}

export async function finishManualSync(db: Database, publicId: string, outcome: Outcome) {
  const { now, failure, rawInserted, dailyUpserted, sellpageUpserted } = outcome
  await db.execute(sql`
    update channel_syncs
       set state = ${failure === undefined ? 'succeeded' : 'failed'}, failure = ${failure ?? null},
           finished_at = ${now.toISOString()}::timestamptz, raw_inserted = ${rawInserted ?? null},
           daily_upserted = ${dailyUpserted ?? null}, sellpage_upserted = ${sellpageUpserted ?? null}
     where public_id = ${publicId}::uuid`)
}

const LOST = 'The worker stopped before this sync was done. Request it again.'

export interface SyncSeen {
  readonly jobId: string
  readonly advertiserId: string
  readonly level: Level
  readonly date: string
  readonly attempt: number
  readonly state: 'waiting' | 'running' | 'succeeded' | 'failed' | 'replaced'
  readonly failure: string | null
  readonly nextTryAt: string | null
  readonly requestedAt: string
  readonly finishedAt: string | null
  readonly rawInserted: number | null
  readonly dailyUpserted: number | null
  readonly sellpageUpserted: number | null
}

/** One sync, within the scope of its advertiser or the platform. */
export async function findManualSync(
  db: Database,
  publicId: string,
  scope: { readonly isPlatform: boolean; readonly accountId: bigint; readonly now: Date },
): Promise<SyncSeen | undefined> {
  const at = sql`${scope.now.toISOString()}::timestamptz`
  const isLost = sql`(s.state = 'running' and ${at} - s.started_at >= ${LOST_AFTER})`
  const { rows } = await db.execute<Row<SyncSeen>>(sql`
    select s.public_id as "jobId", a.public_id as "advertiserId", s.level, s.day::text as date, s.attempt,
           case when ${isLost} then 'failed' else s.state end as state,
           case when ${isLost} then ${LOST} else s.failure end as failure,
           case when s.state = 'waiting' then s.due_at end as "nextTryAt",
           s.requested_at as "requestedAt", s.finished_at as "finishedAt", s.raw_inserted as "rawInserted",
           s.daily_upserted as "dailyUpserted", s.sellpage_upserted as "sellpageUpserted"
      from channel_syncs s join advertisers a on a.id = s.advertiser_id
     where s.public_id = ${publicId}::uuid
       and (${scope.isPlatform}::boolean or a.account_id = ${String(scope.accountId)}::bigint)`)
  return rows[0]
}

const KEPT_DAYS = 30

/** Deletes requests older than a month. */
export async function trimManualSyncs(db: Database, now: Date): Promise<void> {
  await db.execute(sql`
    delete from channel_syncs
     where requested_at < ${now.toISOString()}::timestamptz - make_interval(days => ${KEPT_DAYS})`)
}
