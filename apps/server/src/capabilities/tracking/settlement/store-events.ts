import type { ClientBase, Pool } from 'pg'
import { plainArray, textArray } from '../../../platform/database/arrays.ts'
import { DELIVERY_KINDS, type DeliveryKind, eventIdOf, type TrackedEvent } from '../intake/event.ts'

export const EVENT_TABLES = { impression: 'impressions', view: 'views', click: 'clicks' } as const

export type Billing = 'charged' | 'free' | 'invalid' | 'over-delivery'

/** An event with what was decided about its charge. */
export interface BilledEvent {
  readonly event: TrackedEvent
  readonly billing: Billing
  readonly chargedMillis: bigint
  /** The event was counted before, unvouched. Now it is only charged. */
  readonly isCounted?: boolean
}

interface Column {
  readonly name: string
  readonly type: string
  /** SQL that converts the parameter. Default: none. */
  readonly make?: (value: string) => string
  readonly array: (rows: readonly BilledEvent[]) => string
}

const plain =
  (of: (row: BilledEvent) => string | number | bigint | undefined) =>
  (rows: readonly BilledEvent[]) =>
    plainArray(rows.map(of))
const text = (of: (row: BilledEvent) => string | undefined) => (rows: readonly BilledEvent[]) =>
  textArray(rows.map(of))

const toDate = (value: string) => `date 'epoch' + ${value}`
const toPageKey = (value: string) => `('x' || ${value})::bit(64)::bigint`
const toInstant = (value: string) => `to_timestamp(${value} / 1000)`

/** The order of the statement's parameters. */
const COLUMNS: readonly Column[] = [
  { name: 'event_id', type: 'uuid', array: plain(({ event }) => event.eventId) },
  {
    name: 'decision_day',
    type: 'integer',
    make: toDate,
    array: plain(({ event }) => event.decisionDay),
  },
  { name: 'decision_id', type: 'uuid', array: plain(({ event }) => event.decisionId) },
  { name: 'position', type: 'smallint', array: plain(({ event }) => event.position) },
  {
    name: 'budget_day',
    type: 'integer',
    make: toDate,
    array: plain(({ event }) => event.budgetDay),
  },
  { name: 'ad_id', type: 'bigint', array: plain(({ event }) => keyAs(event, 'ad')) },
  {
    name: 'assignment_id',
    type: 'bigint',
    array: plain(({ event }) => keyAs(event, 'assignment')),
  },
  { name: 'banner_id', type: 'bigint', array: plain(({ event }) => event.bannerKey) },
  { name: 'campaign_id', type: 'bigint', array: plain(({ event }) => event.campaignKey) },
  { name: 'advertiser_id', type: 'bigint', array: plain(({ event }) => event.advertiserKey) },
  { name: 'placement_id', type: 'bigint', array: plain(({ event }) => event.placementKey) },
  { name: 'site_id', type: 'bigint', array: plain(({ event }) => event.siteKey) },
  { name: 'user_key', type: 'text', array: text(({ event }) => event.userKey) },
  { name: 'session_id', type: 'text', array: text(({ event }) => event.sessionId) },
  { name: 'device_type', type: 'text', array: text(({ event }) => event.deviceType) },
  { name: 'country_code', type: 'text', array: text(({ event }) => event.countryCode) },
  {
    name: 'page_key',
    type: 'text',
    make: toPageKey,
    array: plain(({ event }) => event.pageKey),
  },
  { name: 'page_url', type: 'text', array: text(({ event }) => event.pageUrl) },
  { name: 'other_url', type: 'text', array: text(({ event }) => event.otherUrl) },
  {
    name: 'occurred_at',
    type: 'float8',
    make: toInstant,
    array: plain(({ event }) => event.occurredAtMs),
  },
  {
    name: 'received_at',
    type: 'float8',
    make: toInstant,
    array: plain(({ event }) => event.receivedAtMs),
  },
  { name: 'clock', type: 'text', array: plain(({ event }) => event.clock) },
  { name: 'label', type: 'text', array: plain(({ event }) => event.label) },
  { name: 'pricing', type: 'text', array: plain(({ event }) => event.pricing) },
  { name: 'charge_micros', type: 'bigint', array: plain(({ event }) => event.chargeMicros) },
  { name: 'charged_millis', type: 'bigint', array: plain(({ chargedMillis }) => chargedMillis) },
  { name: 'billing', type: 'text', array: plain(({ billing }) => billing) },
]

const keyAs = ({ source, winnerKey }: TrackedEvent, wanted: TrackedEvent['source']) =>
  source === wanted ? winnerKey : undefined

const batchId = `$${COLUMNS.length + 1}::bigint`

function insertText(kind: DeliveryKind): string {
  const other = kind === 'click' ? 'destination_url' : 'referrer_url'
  const arrays = COLUMNS.map(({ type }, i) => `$${i + 1}::${type}[]`)
  const names = COLUMNS.map(({ name }) => (name === 'other_url' ? other : name))
  const values = COLUMNS.map(({ name, make }) => make?.(`e.${name}`) ?? `e.${name}`)
  return `
    with fresh as (
      insert into ${EVENT_TABLES[kind]} (batch_id, ${names.join(', ')})
      select ${batchId}, ${values.join(', ')}
        from unnest(${arrays.join(', ')}) as e (${COLUMNS.map(({ name }) => name).join(', ')})
      on conflict (decision_day, event_id) do nothing
      returning event_id
    )
    select count(*)::integer as count,
           case when count(*) < cardinality($1::uuid[]) then array_to_string(array_agg(event_id), ',') end as ids
      from fresh`
}

const insertOf = (kind: DeliveryKind) => ({ name: `insert-${kind}s`, text: insertText(kind) })

const INSERTS = {
  impression: insertOf('impression'),
  view: insertOf('view'),
  click: insertOf('click'),
} satisfies Record<DeliveryKind, unknown>

interface Insertion {
  readonly kind: DeliveryKind
  readonly rows: readonly BilledEvent[]
  readonly batchId: bigint
}

/** Inserts events of one kind and returns the new ones. */
export async function insertEvents(
  client: ClientBase,
  { kind, rows, batchId }: Insertion,
): Promise<readonly BilledEvent[]> {
  if (rows.length === 0) return []
  const values = [...COLUMNS.map(({ array }) => array(rows)), batchId.toString()]
  const result = await client.query<{ count: number; ids: string | null }>({
    ...INSERTS[kind],
    values,
  })
  const { count, ids } = result.rows[0]!
  if (count === rows.length) return rows
  const fresh = new Set(ids?.split(','))
  return rows.filter(({ event }) => fresh.has(event.eventId))
}

const PAID_KINDS = { impression: 'cpm', click: 'cpc' } as const

/** Charges events stored as valid but free because nobody vouched for them. Returns those rows. */
export async function payUnvouched(
  client: ClientBase,
  rows: readonly BilledEvent[],
): Promise<BilledEvent[]> {
  const paid: BilledEvent[] = []
  for (const kind of ['impression', 'click'] as const) {
    const charged = rows.filter(({ event, billing }) => event.kind === kind && isPaid(billing))
    if (charged.length === 0) continue
    const { rows: found } = await client.query<{ event_id: string }>(
      `update ${EVENT_TABLES[kind]} stored
          set billing = paid.billing, charged_millis = paid.millis, charge_micros = paid.micros
         from unnest($1::integer[], $2::uuid[], $3::text[], $4::bigint[], $5::bigint[])
           as paid (day_number, event_id, billing, millis, micros)
        where stored.decision_day = date 'epoch' + paid.day_number
          and stored.event_id = paid.event_id
          and stored.label = 'valid' and stored.billing = 'free'
          and stored.charge_micros > 0 and stored.pricing = $6
       returning stored.event_id`,
      [
        plainArray(charged.map(({ event }) => event.decisionDay)),
        plainArray(charged.map(({ event }) => event.eventId)),
        plainArray(charged.map(({ billing }) => billing)),
        plainArray(charged.map(({ chargedMillis }) => chargedMillis)),
        plainArray(charged.map(({ event }) => event.chargeMicros)),
        PAID_KINDS[kind],
      ],
    )
    const ids = new Set(found.map(({ event_id }) => event_id))
    for (const row of charged) {
      if (ids.has(row.event.eventId)) paid.push({ ...row, isCounted: true })
    }
  }
  return paid
}

const isPaid = (billing: Billing) => billing === 'charged' || billing === 'over-delivery'

/** Ids of these events that are stored already and need no charge any more. */
export async function listStored(
  client: ClientBase,
  events: readonly TrackedEvent[],
): Promise<ReadonlySet<string>> {
  const stored = new Set<string>()
  for (const kind of DELIVERY_KINDS) {
    const wanted = events.filter((event) => event.kind === kind)
    if (wanted.length === 0) continue
    const { rows } = await client.query<{ event_id: string }>(
      `select stored.event_id
         from unnest($1::integer[], $2::uuid[]) as wanted (day_number, event_id)
         join ${EVENT_TABLES[kind]} stored
           on stored.decision_day = date 'epoch' + wanted.day_number
          and stored.event_id = wanted.event_id
        where not (stored.label = 'valid' and stored.billing = 'free' and stored.charge_micros > 0)`,
      [
        plainArray(wanted.map(({ decisionDay }) => decisionDay)),
        plainArray(wanted.map(({ eventId }) => eventId)),
      ],
    )
    for (const { event_id } of rows) stored.add(event_id)
  }
  return stored
}

/** Times of the clicks' impressions, by impression id. */
export async function listImpressionTimes(
  client: ClientBase,
  clicks: readonly TrackedEvent[],
): Promise<ReadonlyMap<string, number>> {
  const known = clicks.filter(({ decisionId }) => decisionId !== undefined)
  if (known.length === 0) return new Map()
  const { rows } = await client.query<{ event_id: string; at_ms: number }>({
    name: 'impressions-of-clicks',
    text: `
      select stored.event_id, extract(epoch from stored.occurred_at)::float8 * 1000 as at_ms
        from unnest($1::integer[], $2::uuid[]) as wanted (day_number, event_id)
        join impressions stored
          on stored.decision_day = date 'epoch' + wanted.day_number
         and stored.event_id = wanted.event_id`,
    values: [
      plainArray(known.map(({ decisionDay }) => decisionDay)),
      plainArray(known.map((click) => impressionIdOf(click))),
    ],
  })
  return new Map(rows.map(({ event_id, at_ms }) => [event_id, Math.round(at_ms)]))
}

export interface StoredEventKey {
  readonly kind: DeliveryKind
  readonly decisionDay: number
  readonly eventId: string
}

/** Times of those events that are stored, by id. */
export async function listStoredTimes(
  pool: Pool,
  keys: readonly StoredEventKey[],
): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>()
  for (const kind of DELIVERY_KINDS) {
    const wanted = keys.filter((key) => key.kind === kind)
    if (wanted.length === 0) continue
    const { rows } = await pool.query<{ event_id: string; at_ms: number }>(
      `select stored.event_id, extract(epoch from stored.occurred_at)::float8 * 1000 as at_ms
         from unnest($1::integer[], $2::uuid[]) as wanted (day_number, event_id)
         join ${EVENT_TABLES[kind]} stored
           on stored.decision_day = date 'epoch' + wanted.day_number
          and stored.event_id = wanted.event_id`,
      [
        plainArray(wanted.map(({ decisionDay }) => decisionDay)),
        plainArray(wanted.map(({ eventId }) => eventId)),
      ],
    )
    for (const { event_id, at_ms } of rows) times.set(event_id, Math.round(at_ms))
  }
  return times
}

export const impressionIdOf = ({ decisionId, position }: TrackedEvent): string | undefined =>
  decisionId && eventIdOf(decisionId, 'impression', position)

/** Stores keys of events without a tracking link and returns the new ones. */
export async function addSeenKeys(
  client: ClientBase,
  keys: readonly string[],
  at: Date,
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const { rows } = await client.query<{ seen_key: string }>(
    `insert into seen_events (seen_key, seen_at)
     select key, $2::timestamptz from unnest($1::uuid[]) as key order by key
     on conflict do nothing
     returning seen_key`,
    [plainArray(keys), at.toISOString()],
  )
  return new Set(rows.map(({ seen_key }) => seen_key))
}

/** For events that are not settled yet after all. */
export async function deleteSeenKeys(client: ClientBase, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await client.query('delete from seen_events where seen_key = any ($1::uuid[])', [
    plainArray(keys),
  ])
}
