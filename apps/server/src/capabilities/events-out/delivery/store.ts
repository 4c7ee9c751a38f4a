import type { Row } from '../../../platform/database/row.ts'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { type CloudEvent } from '../../../platform/outbox/event.ts'
import { openCursors } from '../../../platform/outbox/sources.ts'
import { deleteCursors } from '../../../platform/outbox/store.ts'
import type { Ids } from '../../../platform/ids.ts'
import { EVENT_SOURCES } from '../sources/sources.ts'

/** The fields of an endpoint that a delivery needs. */
export interface Endpoint {
  readonly key: string
  readonly publicId: string
  readonly version: number
  readonly url: string
  readonly eventTypes: readonly string[]
  readonly sealedSecret: string
}

export const ENDPOINTS_MAX = 100

export async function listActiveEndpoints(db: Database): Promise<readonly Endpoint[]> {
  const { rows } = await db.execute<Row<Endpoint>>(sql`
    select id::text as key, public_id as "publicId", version, url, event_types as "eventTypes",
           sealed_secret as "sealedSecret"
      from webhook_endpoints where is_active order by id limit ${ENDPOINTS_MAX}`)
  return rows
}

export async function countEndpoints(db: Database): Promise<number> {
  const { rows } = await db.execute(sql`select count(*)::int as count from webhook_endpoints`)
  return rows[0]!['count'] as number
}

/** Prefix of the names of an endpoint's cursors. */
export const sinkOf = (publicId: string): string => `webhook ${publicId}`

/** Sinks that still need events from the outbox. */
export async function listWebhookSinks(db: Database): Promise<readonly string[]> {
  return (await listActiveEndpoints(db)).map(({ publicId }) => sinkOf(publicId))
}

export const openEndpointCursors = (db: Database, publicId: string) =>
  openCursors(db, { sink: sinkOf(publicId), sources: EVENT_SOURCES, startsAt: 'now' })

export const deleteDeliveries = (db: Database, publicId: string): Promise<void> =>
  deleteCursors(db, sinkOf(publicId))

interface Addition {
  readonly endpointKey: string
  readonly events: readonly CloudEvent[]
  readonly ids: Ids
  readonly now: Date
}

/** Adds deliveries once per endpoint and event, in the given order. */
export async function addDeliveries(db: Database, { endpointKey, events, ids, now }: Addition) {
  if (events.length === 0) return
  const added = events.map((event) => ({
    public_id: ids.next(),
    event_id: event.id,
    event_type: event.type,
    subject: event.subject,
    body: JSON.stringify(event),
    occurred_at: event.time,
  }))
  await db.execute(sql`
    insert into webhook_deliveries (public_id, webhook_endpoint_id, event_id, event_type, subject, body,
                                    due_at, occurred_at, created_at)
    select e.public_id, ${endpointKey}::bigint, e.event_id, e.event_type, e.subject, e.body,
           ${now.toISOString()}::timestamptz, e.occurred_at, ${now.toISOString()}::timestamptz
      from rows from (jsonb_to_recordset(${JSON.stringify(added)}::jsonb)
           as (public_id uuid, event_id uuid, event_type text, subject text, body text,
               occurred_at timestamptz)) with ordinality as e
     order by e.ordinality
    on conflict (webhook_endpoint_id, event_id) do nothing`)
}

/** Counts at most this many. */
export async function countPending(db: Database, endpointKey: string, max: number) {
  const { rows } = await db.execute(sql`
    select count(*)::int as count from (
      select 1 from webhook_deliveries
       where webhook_endpoint_id = ${endpointKey}::bigint and status = 'pending' limit ${max}) found`)
  return rows[0]!['count'] as number
}

export interface Delivery {
  readonly key: string
  readonly eventId: string
  readonly subject: string
  readonly body: string
  readonly attempts: number
}

interface DueQuery {
  readonly endpointKey: string
  readonly now: Date
  readonly limit: number
}

/**
 * Due deliveries in order. A failed one blocks the later ones of its subject until its next
 * attempt.
 */
export async function listDue(db: Database, { endpointKey, now, limit }: DueQuery) {
  const { rows } = await db.execute<Row<Delivery>>(sql`
    with waiting as materialized (
      select distinct subject from webhook_deliveries
       where webhook_endpoint_id = ${endpointKey}::bigint and status = 'pending'
         and due_at > ${now.toISOString()}::timestamptz
    )
    select id::text as key, event_id as "eventId", subject, body, attempts from webhook_deliveries d
     where webhook_endpoint_id = ${endpointKey}::bigint and status = 'pending'
       and not exists (select 1 from waiting where waiting.subject = d.subject)
     order by id
     limit ${limit}`)
  return rows
}

export interface Outcome {
  readonly key: string
  readonly status: 'pending' | 'delivered' | 'dead'
  readonly dueAt: Date
  readonly lastStatus: number | null
  readonly lastError: string | null
}

export async function saveOutcomes(db: Database, outcomes: readonly Outcome[], now: Date) {
  if (outcomes.length === 0) return
  await db.execute(sql`
    update webhook_deliveries d
       set status = o.status, attempts = d.attempts + 1, due_at = o."dueAt",
           last_status = o."lastStatus", last_error = o."lastError",
           finished_at = case when o.status = 'pending' then null
                              else ${now.toISOString()}::timestamptz end
      from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb)
        as o (key bigint, status text, "dueAt" timestamptz, "lastStatus" integer, "lastError" text)
     where d.id = o.key`)
}

/** Records since when an endpoint has accepted nothing. A success ends it. */
export async function recordHealth(
  db: Database,
  endpointKey: string,
  { isWell, now }: { readonly isWell: boolean; readonly now: Date },
): Promise<Date | undefined> {
  const { rows } = await db.execute<{ failing_since: string | null }>(
    isWell
      ? sql`update webhook_endpoints set failing_since = null
             where id = ${endpointKey}::bigint and failing_since is not null
            returning failing_since`
      : sql`update webhook_endpoints
               set failing_since = coalesce(failing_since, ${now.toISOString()}::timestamptz)
             where id = ${endpointKey}::bigint
            returning failing_since`,
  )
  const since = rows[0]?.failing_since
  return since ? new Date(since) : undefined
}

/** Sends nothing more until a user switches it on again. */
export async function switchOffEndpoint(db: Database, endpointKey: string, reason: string) {
  await db.execute(sql`
    update webhook_endpoints set is_active = false, rest_reason = ${reason}, version = version + 1
     where id = ${endpointKey}::bigint`)
}

export interface Replay {
  readonly endpointKey?: bigint
  readonly deliveryKey?: bigint
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly status?: string | undefined
  readonly eventTypes?: readonly string[] | undefined
  readonly now: Date
}

const REPLAY_MAX = 10_000

/** Sends stored deliveries again, oldest first, and returns their number. */
export async function replayDeliveries(db: Database, replay: Replay): Promise<number> {
  const { from = null, to = null, status = null, now } = replay
  const types = replay.eventTypes ? `{${replay.eventTypes.join(',')}}` : null
  const { rowCount } = await db.execute(sql`
    update webhook_deliveries
       set status = 'pending', attempts = 0, due_at = ${now.toISOString()}::timestamptz,
           finished_at = null
     where id in (
       select id from webhook_deliveries
        where status <> 'pending'
          and (${replay.endpointKey ?? null}::bigint is null
               or webhook_endpoint_id = ${replay.endpointKey ?? null}::bigint)
          and (${replay.deliveryKey ?? null}::bigint is null or id = ${replay.deliveryKey ?? null}::bigint)
          and (${from}::timestamptz is null or occurred_at >= ${from}::timestamptz)
          and (${to}::timestamptz is null or occurred_at < ${to}::timestamptz)
          and (${status}::text is null or status = ${status}::text)
          and (${types}::text[] is null or event_type = any (${types}::text[]))
        order by id
        limit ${REPLAY_MAX})`)
  return rowCount ?? 0
}

/** Erases users from the bodies of deliveries, and returns how many that were. */
export async function eraseFromDeliveries(
  db: Database,
  userKeys: readonly string[],
): Promise<number> {
  const { rowCount } = await db.execute(sql`
    update webhook_deliveries set body = regexp_replace(body, '"userId":"[^"]*"', '"userId":null')
     where substring(body from '"userId":"([^"]*)"') = any (${sql.param(userKeys)}::text[])`)
  return rowCount ?? 0
}

const TRIM_BATCH = 10_000

/** Deletes finished deliveries of that age, and returns their number. */
export async function trimDeliveries(db: Database, before: Date): Promise<number> {
  const { rowCount } = await db.execute(sql`
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries where finished_at < ${before.toISOString()}::timestamptz
       order by finished_at limit ${TRIM_BATCH})`)
  return rowCount ?? 0
}

export interface DeliveryFigures {
  readonly pending: number
  readonly dead: number
  readonly oldestPending: Date | undefined
}

export async function readDeliveryFigures(db: Database): Promise<DeliveryFigures> {
  const { rows } = await db.execute(sql`
    select (select count(*)::int from webhook_deliveries where status = 'pending') as pending,
           (select count(*)::int from webhook_deliveries where status = 'dead') as dead,
           (select min(occurred_at) from webhook_deliveries where status = 'pending') as oldest`)
  const { pending, dead, oldest } = rows[0]!
  return {
    pending: pending as number,
    dead: dead as number,
    oldestPending: oldest ? new Date(oldest as string) : undefined,
  }
}
