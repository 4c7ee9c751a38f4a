import type { Row } from '../../../platform/database/row.ts'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { Level } from '../providers/stat.ts'

export async function recordTick(db: Database, now: Date): Promise<void> {
  await db.execute(sql`
    insert into channel_ticks (ticked_at) values (${now.toISOString()}::timestamptz)
    on conflict (only_one) do update set ticked_at = excluded.ticked_at`)
}

export async function findLastTick(db: Database): Promise<Date | undefined> {
  const { rows } = await db.execute<{ ticked_at: string }>(sql`select ticked_at from channel_ticks`)
  const at = rows[0]?.ticked_at
  return at ? new Date(at) : undefined
}

interface LevelNote {
  readonly level: Level
  /** Absent if the figures arrived. */
  readonly failure?: string
  /** Until then, the platform wants no calls. */
  readonly restsUntil?: Date | undefined
  readonly now: Date
}

/**
 * Records the result of one level. The connection shows the level that has failed for the longest.
 */
export async function recordLevel(
  db: Database,
  connectionKey: string,
  { level, failure, restsUntil, now }: LevelNote,
): Promise<void> {
  const at = now.toISOString()
  const health =
    failure === undefined
      ? sql`jsonb_build_object('syncedAt', ${at}::text, 'failingSince', null, 'failure', null)`
      : sql`jsonb_build_object(
          'syncedAt', levels -> ${level}::text ->> 'syncedAt',
          'failingSince', coalesce(levels -> ${level}::text ->> 'failingSince', ${at}::text),
          'failure', ${failure}::text)`
  await db.execute(sql`
    with noted as (
      select id, levels || jsonb_build_object(${level}::text, ${health}) as levels
        from channel_connections where id = ${connectionKey}::bigint
         for no key update)
    update channel_connections f
       set levels = noted.levels, failing_since = worst.since, failure = worst.failure,
           rests_until = greatest(f.rests_until, ${restsUntil?.toISOString() ?? null}::timestamptz)
      from noted left join lateral (
        select (value ->> 'failingSince')::timestamptz as since, value ->> 'failure' as failure
          from jsonb_each(noted.levels) where value ->> 'failingSince' is not null
         order by 1 limit 1) worst on true
     where f.id = noted.id`)
}

/** Records that the platform wants a pause, which is no failure. */
export async function recordPause(db: Database, connectionKey: string, until: Date): Promise<void> {
  await db.execute(sql`
    update channel_connections
       set rests_until = greatest(rests_until, ${until.toISOString()}::timestamptz)
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

const ADVERTISERS_MAX = 200

/** Advertisers of an account. Platform users may name any, or request all with an ad account. */
export async function lockSyncingAdvertisers(
  db: Database,
  { isPlatform, accountId }: Scope,
  advertiserId: string | undefined,
): Promise<readonly SyncingAdvertiser[]> {
  const which = isPlatform
    ? sql`(${advertiserId ?? null}::uuid is not null or exists (
        select 1 from channel_connections f
         where f.advertiser_id = a.id and f.connection_type = 'AD_ACCOUNT' and f.is_active
           and f.deleted_at is null))`
    : sql`a.account_id = ${String(accountId)}::bigint`
  const { rows } = await db.execute<Row<SyncingAdvertiser>>(sql`
    select a.id::text as key, a.public_id as id from advertisers a
     where a.deleted_at is null and ${which}
       and (${advertiserId ?? null}::uuid is null or a.public_id = ${advertiserId ?? null}::uuid)
     order by (select max(requested_at) from channel_syncs s where s.advertiser_id = a.id) nulls first, a.id
     limit ${ADVERTISERS_MAX}
       for no key update of a`)
  return rows
}

export interface Backfill {
  readonly publicId: string
  readonly advertiserId: string
  readonly from: string
  readonly to: string
  readonly stepsDone: number
  readonly failures: number
}

const UNFINISHED_MAX = 1_000

/** Backfills that can continue now. */
export async function listUnfinishedBackfills(db: Database, now: Date): Promise<readonly string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select public_id as id from channel_backfills
     where status in ('waiting', 'running')
       and (waits_until is null or waits_until <= ${now.toISOString()}::timestamptz)
     order by id limit ${UNFINISHED_MAX}`)
  return rows.map(({ id }) => id)
}

export async function findBackfill(db: Database, publicId: string): Promise<Backfill | undefined> {
  const { rows } = await db.execute<Row<Backfill>>(sql`
    select b.public_id as "publicId", a.public_id as "advertiserId", b.date_from::text as "from",
           b.date_to::text as "to", b.steps_done as "stepsDone", b.failures
      from channel_backfills b join advertisers a on a.id = b.advertiser_id
     where b.public_id = ${publicId} and b.status in ('waiting', 'running')`)
  return rows[0]
}

export interface BackfillProgress {
  readonly status: 'running' | 'succeeded' | 'failed'
  readonly stepsDone: number
  readonly daysDone: number
  readonly failures?: number
  readonly failure?: string
  /** A connection is paused until then. */
  readonly waitsUntil?: Date | undefined
  readonly now: Date
}

export async function saveProgress(db: Database, publicId: string, progress: BackfillProgress) {
  await db.execute(sql`
    update channel_backfills
       set status = ${progress.status}, steps_done = ${progress.stepsDone}, days_done = ${progress.daysDone},
           failure = ${progress.failure ?? null}, failures = ${progress.failures ?? 0},
           waits_until = ${progress.waitsUntil?.toISOString() ?? null}::timestamptz,
           version = version + 1, updated_at = ${progress.now.toISOString()}::timestamptz
     where public_id = ${publicId}`)
}
