import { sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import { plainArray } from '../../../platform/database/arrays.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { eventIdOf } from '../intake/event.ts'
import type { Showing } from '../conversions/store.ts'
import { PARTITIONED } from '../settlement/store-partitions.ts'

/** Progress names no reader. */
const NAMING_READERS = PARTITIONED.filter((table) => table !== 'progress_events')
type EventTable = (typeof NAMING_READERS)[number]

/** Queues the readers for the sweep. A second request restarts the sweep. */
export async function addForgotten(
  db: Database,
  userKeys: readonly string[],
  at: Date,
): Promise<void> {
  await db.execute(sql`
    insert into forgotten_users (user_key, asked_at)
      select unnest(${sql.param(userKeys)}::text[]), ${at.toISOString()}
    on conflict (user_key) do update set asked_at = excluded.asked_at`)
}

interface Shown {
  readonly userKeys: readonly string[]
  readonly showings: readonly Showing[]
}

/** Erases the readers from the events of these banners, found by key. */
export async function eraseFromShowings(
  db: Database,
  { userKeys, showings }: Shown,
): Promise<{ impressions: number; views: number }> {
  const days = plainArray(showings.map(({ decisionDay }) => decisionDay))
  const erase = async (table: 'impressions' | 'views', kind: string) => {
    const ids = plainArray(
      showings.map(({ decisionId, position }) => eventIdOf(decisionId, kind, position)),
    )
    const { rowCount } = await db.execute(sql`
      update ${sql.identifier(table)} t set user_key = null, session_id = null
        from unnest(${days}::integer[], ${ids}::uuid[]) as shown (day_number, event_id)
       where t.decision_day = date 'epoch' + shown.day_number and t.event_id = shown.event_id
         and t.user_key = any (${sql.param(userKeys)}::text[])`)
    return rowCount ?? 0
  }
  return {
    impressions: await erase('impressions', 'impression'),
    views: await erase('views', 'view'),
  }
}

/** Clicks have an index by user, and conversions are few. One that waits must not bring the user back. */
export async function eraseFromDeeds(db: Database, userKeys: readonly string[]) {
  const keys = sql`any (${sql.param(userKeys)}::text[])`
  const clicks = await db.execute(
    sql`update clicks set user_key = null, session_id = null where user_key = ${keys}`,
  )
  const conversions = await db.execute(
    sql`update conversions set user_key = null where user_key = ${keys}`,
  )
  const counts = await db.execute(sql`delete from frequency_counts where user_key = ${keys}`)
  const visits = await db.execute(sql`delete from first_visits where user_key = ${keys}`)
  const waiting = await db.execute(sql`
    update waiting_conversions set conversion = conversion - 'userKey'
     where conversion ->> 'userKey' = ${keys}`)
  return {
    clicks: clicks.rowCount ?? 0,
    conversions: (conversions.rowCount ?? 0) + (waiting.rowCount ?? 0),
    frequencyCounts: counts.rowCount ?? 0,
    visits: visits.rowCount ?? 0,
  }
}

/** A forgotten user is one reader for each publisher. */
const USERS_PER_SWEEP = 50_000

/** Users queued for the sweep, oldest request first. */
export async function listForgotten(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ userKey: string }>(
    `select user_key as "userKey" from forgotten_users order by asked_at limit ${USERS_PER_SWEEP}`,
  )
  return rows.map(({ userKey }) => userKey)
}

export async function listEventDays(pool: Pool): Promise<{ table: EventTable; day: string }[]> {
  const { rows } = await pool.query<{ table: EventTable; day: string }>(
    `select p.relname as table, to_date(right(c.relname, 8), 'YYYYMMDD')::text as day
       from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
      where p.relname = any ($1::text[])
      order by c.relname`,
    [NAMING_READERS],
  )
  return rows
}

interface Sweep {
  readonly table: EventTable
  readonly day: string
  readonly userKeys: readonly string[]
}

export async function sweepDay(pool: Pool, { table, day, userKeys }: Sweep): Promise<number> {
  const session = table === 'conversions' ? '' : ', session_id = null'
  const { rowCount } = await pool.query(
    `update ${table} set user_key = null${session}
      where decision_day = $1 and user_key = any ($2::text[])`,
    [day, userKeys],
  )
  return rowCount ?? 0
}

/** Events that no table accepted keep their text, without the user. */
export async function sweepQuarantine(pool: Pool, userKeys: readonly string[]): Promise<number> {
  const { rowCount } = await pool.query(
    `update quarantined_events
        set event = regexp_replace(event, '"(userKey|sessionId)":"[^"]*"', '"\\1":null', 'g')
      where substring(event from '"userKey":"([^"]*)"') = any ($1::text[])`,
    [userKeys],
  )
  return rowCount ?? 0
}

/** Another node may have written a first visit just after the request. */
export async function sweepVisits(pool: Pool): Promise<void> {
  await pool.query(
    `delete from first_visits v using forgotten_users f
      where v.user_key = f.user_key and v.first_at < f.asked_at`,
  )
}

export async function deleteForgotten(
  pool: Pool,
  { userKeys, askedBefore }: { readonly userKeys: readonly string[]; readonly askedBefore: Date },
): Promise<void> {
  await pool.query(
    'delete from forgotten_users where user_key = any ($1::text[]) and asked_at < $2',
    [userKeys, askedBefore.toISOString()],
  )
}
