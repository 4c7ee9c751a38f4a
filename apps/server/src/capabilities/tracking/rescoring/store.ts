import { sql } from 'drizzle-orm'
import type { ClientBase, Pool } from 'pg'
import { plainArray } from '../../../platform/database/arrays.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { WinnerSource } from '../links/claims.ts'
import { dateOf, type DeliveryKind } from '../intake/event.ts'
import type { Label } from '../intake/labels.ts'
import type { Period, RescoredEvent, RescoreFilter } from './rescore.ts'
import { EVENT_TABLES } from '../settlement/store-events.ts'

export interface RescoreOrder extends Period {
  readonly publicId: string
  readonly label: Label
  /** As the caller sent it. */
  readonly rule: object
  /** The same with internal keys. */
  readonly filter: RescoreFilter
  readonly note: string
  readonly orderedAt: Date
  readonly orderedBy: string
}

export async function addRescore(db: Database, order: RescoreOrder): Promise<void> {
  await db.execute(sql`
    insert into rescores (public_id, from_at, to_at, label, rule, filter, note, ordered_at, ordered_by)
    values (${order.publicId}, ${instant(order.fromMs)}::timestamptz, ${instant(order.toMs)}::timestamptz,
            ${order.label}, ${JSON.stringify(order.rule)}::jsonb, ${JSON.stringify(order.filter)}::jsonb,
            ${order.note}, ${order.orderedAt.toISOString()}::timestamptz, ${order.orderedBy})`)
}

const instant = (ms: number): string => new Date(ms).toISOString()

export interface ShownRescore {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly label: string
  readonly rule: object
  readonly note: string
  readonly orderedAt: string
  readonly events: number
  readonly creditedMicros: string
  readonly doneAt: string | null
}

/** Newest first. Fractions of a micro are left out. */
export async function listRescores(db: Database, limit: number): Promise<ShownRescore[]> {
  const { rows } = await db.execute<Record<string, unknown> & ShownRescore>(sql`
    select public_id as id, from_at as "from", to_at as "to", label, rule, note,
           ordered_at as "orderedAt", events::float8 as events,
           div(credited_millis, 1000)::text as "creditedMicros", done_at as "doneAt"
      from rescores order by rescores.id desc limit ${limit}`)
  return rows.map((row) => ({
    ...row,
    from: isoOf(row.from),
    to: isoOf(row.to),
    orderedAt: isoOf(row.orderedAt),
    doneAt: row.doneAt && isoOf(row.doneAt),
  }))
}

const isoOf = (text: string): string => new Date(text).toISOString()

export interface OpenRescore extends Period {
  readonly key: number
  readonly label: Label
  readonly filter: RescoreFilter
  readonly publicId: string
}

/** The open order that was not tried for longest, and not since the given moment. Notes the try. */
export async function takeOpenRescore(
  pool: Pool,
  { since, at }: { readonly since: Date; readonly at: Date },
): Promise<OpenRescore | undefined> {
  const { rows } = await pool.query<OpenRescore>(
    `update rescores set tried_at = $2::timestamptz
      where id = (select id from rescores
                   where done_at is null and (tried_at is null or tried_at < $1::timestamptz)
                   order by tried_at nulls first, id limit 1)
      returning id::float8 as key, public_id as "publicId", label, filter,
                extract(epoch from from_at)::float8 * 1000 as "fromMs",
                extract(epoch from to_at)::float8 * 1000 as "toMs"`,
    [since.toISOString(), at.toISOString()],
  )
  return rows[0]
}

export async function endRescore(pool: Pool, key: number, at: Date): Promise<void> {
  await pool.query('update rescores set done_at = $2::timestamptz where id = $1', [
    key,
    at.toISOString(),
  ])
}

interface Rescored {
  readonly key: number
  readonly events: number
  readonly creditedMillis: bigint
}

/** In the transaction of the credits, so that the totals match what was committed. */
export async function addToRescore(client: ClientBase, { key, events, creditedMillis }: Rescored) {
  await client.query(
    'update rescores set events = events + $2, credited_millis = credited_millis + $3 where id = $1',
    [key, events, creditedMillis.toString()],
  )
}

export interface SuspectQuery extends Period {
  readonly kind: DeliveryKind
  readonly decisionDay: number
  readonly filter: RescoreFilter
  readonly after: string
  readonly limit: number
}

export type Suspect = Pick<
  RescoredEvent,
  'campaignKey' | 'advertiserKey' | 'budgetDay' | 'occurredAtMs'
> & { readonly eventId: string }

const WHAT = `
  e.campaign_id::float8 as "campaignKey", e.advertiser_id::float8 as "advertiserKey",
  e.budget_day - date 'epoch' as "budgetDay",
  round(extract(epoch from e.occurred_at) * 1000)::float8 as "occurredAtMs"`

/** Valid events that match the filter, in the order of their ids. */
export async function listSuspects(pool: Pool, query: SuspectQuery): Promise<Suspect[]> {
  const { filter } = query
  const { rows } = await pool.query<Suspect>(
    `select e.event_id as "eventId", ${WHAT}
       from ${EVENT_TABLES[query.kind]} e
      where decision_day = $1::date and event_id > $2::uuid and label = 'valid'
        and occurred_at >= $3::timestamptz and occurred_at < $4::timestamptz
        and ($5::bigint is null or site_id = $5) and ($6::bigint is null or placement_id = $6)
        and ($7::bigint is null or campaign_id = $7) and ($8::text is null or country_code = $8)
        and ($9::text is null or device_type = $9) and ($10::text[] is null or session_id = any ($10))
      order by event_id
      limit $11`,
    [
      dateOf(query.decisionDay),
      query.after,
      instant(query.fromMs),
      instant(query.toMs),
      filter.siteKey ?? null,
      filter.placementKey ?? null,
      filter.campaignKey ?? null,
      filter.countryCode ?? null,
      filter.deviceType ?? null,
      filter.sessionIds ?? null,
      query.limit,
    ],
  )
  return rows
}

export interface Relabelling {
  readonly kind: DeliveryKind
  readonly decisionDay: number
  readonly label: Label
  readonly eventIds: readonly string[]
}

type RelabelledRow = Omit<RescoredEvent, 'chargedMillis' | 'source'> & {
  readonly source: WinnerSource
  readonly chargedMillis: string
}

/** Relabels events that are still valid; returns them as they were. */
export async function relabel(
  client: ClientBase,
  { kind, decisionDay, label, eventIds }: Relabelling,
): Promise<RescoredEvent[]> {
  const table = EVENT_TABLES[kind]
  const { rows } = await client.query<RelabelledRow>(
    `with picked as materialized (
       select decision_day, event_id, charged_millis, billing from ${table}
        where decision_day = $1::date and event_id = any ($2::uuid[]) and label = 'valid'
        order by event_id
          for update
     )
     update ${table} e set label = $3, billing = 'invalid', charged_millis = 0
       from picked p
      where e.decision_day = $1::date and e.decision_day = p.decision_day and e.event_id = p.event_id
     returning '${kind}' as kind,
       case when e.ad_id is not null then 'ad' when e.assignment_id is not null then 'assignment'
            else 'banner' end as source,
       coalesce(e.ad_id, e.assignment_id, e.banner_id, 0)::float8 as "winnerKey", ${WHAT},
       e.placement_id::float8 as "placementKey", p.charged_millis::text as "chargedMillis",
       p.billing = 'over-delivery' as "wasOverDelivered"`,
    [dateOf(decisionDay), plainArray(eventIds), label],
  )
  return rows.map((row) => ({ ...row, chargedMillis: BigInt(row.chargedMillis) }))
}
