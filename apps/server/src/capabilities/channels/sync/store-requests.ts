import type { Row } from '../../../platform/database/row.ts'
import { sql } from 'drizzle-orm'
import { plainArray } from '../../../platform/database/arrays.ts'
import type { Database } from '../../../platform/database/connect.ts'

export async function noteTick(db: Database, now: Date): Promise<void> {
  await db.execute(sql`
    insert into channel_ticks (ticked_at) values (${now.toISOString()}::timestamptz)
    on conflict (only_one) do update set ticked_at = excluded.ticked_at`)
}

export async function findLastTick(db: Database): Promise<Date | undefined> {
  const { rows } = await db.execute<{ ticked_at: string }>(sql`select ticked_at from channel_ticks`)
  const at = rows[0]?.ticked_at
  return at ? new Date(at) : undefined
}

/** The account told nothing; or, without a reason, it is well again. */
export async function noteConnection(
  db: Database,
  connectionKey: string,
  { failure, restsUntil, now }: { failure?: string; restsUntil?: Date | undefined; now: Date },
): Promise<void> {
  await db.execute(sql`
    update channel_connections
       set failing_since = ${failure === undefined ? null : sql`coalesce(failing_since, ${now.toISOString()}::timestamptz)`},
           failure = ${failure ?? null}, rests_until = ${restsUntil?.toISOString() ?? null}::timestamptz
     where id = ${connectionKey}::bigint`)
}

interface Scope {
  readonly isPlatform: boolean
  readonly accountId: bigint
}

export interface SyncingAdvertiser {
  readonly key: string
  readonly id: string
}

const ADVERTISERS_MAX = 100

/** The advertisers of an account; a named one also for the platform's people. */
export async function listOwnAdvertisers(
  db: Database,
  { isPlatform, accountId }: Scope,
  advertiserId: string | undefined,
): Promise<readonly SyncingAdvertiser[]> {
  const isAnyones = isPlatform && advertiserId !== undefined
  const { rows } = await db.execute<Row<SyncingAdvertiser>>(sql`
    select id::text as key, public_id as id from advertisers
     where deleted_at is null and (${isAnyones}::boolean or account_id = ${String(accountId)}::bigint)
       and (${advertiserId ?? null}::uuid is null or public_id = ${advertiserId ?? null}::uuid)
     order by id limit ${ADVERTISERS_MAX}
       for no key update`)
  return rows
}

export interface ManualSync {
  readonly requestedAt: Date
  readonly day: string
  readonly jobIds: readonly string[]
}

export async function findManualSync(db: Database, key: string): Promise<ManualSync | undefined> {
  const { rows } = await db.execute(sql`
    select requested_at, day::text as day, job_ids::text[] as job_ids from manual_syncs
     where advertiser_id = ${key}::bigint`)
  const [row] = rows
  return (
    row && {
      requestedAt: new Date(row['requested_at'] as string),
      day: row['day'] as string,
      jobIds: row['job_ids'] as string[],
    }
  )
}

export async function saveManualSync(db: Database, key: string, sync: ManualSync): Promise<void> {
  await db.execute(sql`
    insert into manual_syncs (advertiser_id, requested_at, day, job_ids)
    values (${key}::bigint, ${sync.requestedAt.toISOString()}::timestamptz, ${sync.day}::date,
            ${plainArray(sync.jobIds)}::uuid[])
    on conflict (advertiser_id) do update set
      requested_at = excluded.requested_at, day = excluded.day, job_ids = excluded.job_ids`)
}

export interface Backfill {
  readonly publicId: string
  readonly advertiserId: string
  readonly from: string
  readonly to: string
  readonly daysDone: number
  readonly failures: number
}

const UNFINISHED_MAX = 1_000

export async function listUnfinishedBackfills(db: Database): Promise<readonly string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select public_id as id from channel_backfills where status in ('waiting', 'running')
     order by id limit ${UNFINISHED_MAX}`)
  return rows.map(({ id }) => id)
}

export async function findBackfill(db: Database, publicId: string): Promise<Backfill | undefined> {
  const { rows } = await db.execute<Row<Backfill>>(sql`
    select b.public_id as "publicId", a.public_id as "advertiserId", b.date_from::text as "from",
           b.date_to::text as "to", b.days_done as "daysDone", b.failures
      from channel_backfills b join advertisers a on a.id = b.advertiser_id
     where b.public_id = ${publicId} and b.status in ('waiting', 'running')`)
  return rows[0]
}

export interface BackfillProgress {
  readonly status: 'running' | 'succeeded' | 'failed'
  readonly daysDone: number
  readonly failures?: number
  readonly failure?: string
  readonly now: Date
}

export async function saveProgress(db: Database, publicId: string, progress: BackfillProgress) {
  await db.execute(sql`
    update channel_backfills
       set status = ${progress.status}, days_done = ${progress.daysDone}, failure = ${progress.failure ?? null},
           failures = ${progress.failures ?? 0},
           version = version + 1, updated_at = ${progress.now.toISOString()}::timestamptz
     where public_id = ${publicId}`)
}
