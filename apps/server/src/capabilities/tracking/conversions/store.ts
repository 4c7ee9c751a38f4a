import { drizzle } from 'drizzle-orm/node-postgres'
import type { ClientBase, Pool, PoolClient } from 'pg'
import { plainArray } from '../../../platform/database/arrays.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { AttributionModel } from './attribution.ts'
import type { Conversion, StoredCredit, StoredTouch } from './conversion.ts'
import { eventIdOf } from '../intake/event.ts'
import { addSeenKeys } from '../settlement/store-events.ts'

/** For another capability's part of the same transaction. */
export const onClient = (client: PoolClient): Database => drizzle(client)

export interface ConversionBound {
  readonly publicId: string
  readonly accountKey: number
  readonly name: string
  readonly currency: string
  readonly limitMicros: bigint | undefined
}

export async function findConversionBound(
  pool: Pool,
  advertiserKey: number,
): Promise<ConversionBound | undefined> {
  const { rows } = await pool.query<
    Omit<ConversionBound, 'limitMicros'> & { limit: string | null }
  >(
    `select public_id as "publicId", account_id::float8 as "accountKey", name, currency,
            conversion_value_max_micros::text as limit
       from advertisers where id = $1`,
    [advertiserKey],
  )
  const [found] = rows
  if (found === undefined) return undefined
  const { limit, ...advertiser } = found
  return { ...advertiser, limitMicros: limit === null ? undefined : BigInt(limit) }
}

/** False for a repeated order or event. */
export async function addConversion(
  client: ClientBase,
  conversion: Conversion,
  model: AttributionModel,
): Promise<boolean> {
  if (!(await claimKey(client, conversion))) return false
  if (!(await claimOrder(client, conversion))) return false
  const { rowCount } = await client.query(
    `insert into conversions (decision_day, event_id, decision_id, advertiser_id, kind, way, order_id,
                              value_micros, currency, user_key, occurred_at, received_at, clock, label, model)
     values (date 'epoch' + $1::integer, $2, $3, $4, $5, $6, $7, $8, $9, $10,
             to_timestamp($11::float8 / 1000), to_timestamp($12::float8 / 1000), $13, $14, $15)
     on conflict do nothing`,
    [
      conversion.decisionDay,
      conversion.eventId,
      conversion.decisionId,
      conversion.advertiserKey,
      conversion.kind,
      conversion.way,
      conversion.orderId,
      conversion.valueMicros?.toString(),
      conversion.currency,
      conversion.userKey,
      conversion.occurredAtMs,
      conversion.receivedAtMs,
      conversion.clock,
      conversion.label,
      model,
    ],
  )
  return rowCount === 1
}

async function claimKey(client: ClientBase, { seenKey, receivedAtMs }: Conversion) {
  if (seenKey === undefined) return true
  return (await addSeenKeys(client, [seenKey], new Date(receivedAtMs))).has(seenKey)
}

async function claimOrder(client: ClientBase, conversion: Conversion): Promise<boolean> {
  if (conversion.orderId === undefined) return true
  const { rowCount } = await client.query(
    `insert into conversion_orders (advertiser_id, order_id, event_id, received_at)
     values ($1, $2, $3, to_timestamp($4::float8 / 1000))
     on conflict do nothing`,
    [conversion.advertiserKey, conversion.orderId, conversion.eventId, conversion.receivedAtMs],
  )
  return rowCount === 1
}

interface TouchRow {
  readonly kind: 'click' | 'view'
  readonly event_id: string
  readonly at_ms: number
  readonly day: number
  readonly ad_id: string | null
  readonly assignment_id: string | null
  readonly banner_id: string | null
  readonly campaign_id: string | null
  readonly placement_id: string | null
}

const TOUCH_COLUMNS = `event_id, extract(epoch from occurred_at)::float8 * 1000 as at_ms,
  decision_day - date 'epoch' as day, ad_id, assignment_id, banner_id, campaign_id, placement_id`
const TOUCHES_MAX = 200

export interface TouchQuery {
  readonly advertiserKey: number
  readonly userKey: string
  readonly fromMs: number
  readonly toMs: number
}

/** The user's valid clicks on the advertiser's ads, newest first. */
export async function listClicks(client: ClientBase, query: TouchQuery): Promise<StoredTouch[]> {
  const { rows } = await client.query<TouchRow>(
    `select 'click' as kind, ${TOUCH_COLUMNS} from clicks
      where user_key = $1 and advertiser_id = $2 and label = 'valid'
        and occurred_at between to_timestamp($3::float8 / 1000) and to_timestamp($4::float8 / 1000)
      order by occurred_at desc
      limit ${TOUCHES_MAX}`,
    [query.userKey, query.advertiserKey, query.fromMs, query.toMs],
  )
  return rows.map(toTouch)
}

/** A banner of a decision, and the decision's UTC day. */
export interface Showing {
  readonly decisionId: string
  readonly decisionDay: number
  readonly position: number
}

/**
 * The settled clicks and impressions of these banners. Found by key, so impressions need no index
 * by user.
 */
export async function listTouchesOf(
  client: ClientBase,
  advertiserKey: number,
  showings: readonly Showing[],
): Promise<StoredTouch[]> {
  const idsOf = (kind: string) =>
    plainArray(showings.map(({ decisionId, position }) => eventIdOf(decisionId, kind, position)))
  const { rows } = await client.query<TouchRow>(
    `with showing as (
       select date 'epoch' + day_number as decision_day, impression_id, click_id
         from unnest($2::integer[], $3::uuid[], $4::uuid[]) as s (day_number, impression_id, click_id)
     )
     select 'view' as kind, ${TOUCH_COLUMNS}
       from showing join impressions using (decision_day)
      where event_id = impression_id and advertiser_id = $1 and label = 'valid'
     union all
     select 'click', ${TOUCH_COLUMNS}
       from showing join clicks using (decision_day)
      where event_id = click_id and advertiser_id = $1 and label = 'valid'`,
    [
      advertiserKey,
      plainArray(showings.map(({ decisionDay }) => decisionDay)),
      idsOf('impression'),
      idsOf('click'),
    ],
  )
  return rows.map(toTouch)
}

const toTouch = (row: TouchRow): StoredTouch => ({
  kind: row.kind,
  eventId: row.event_id,
  atMs: Math.round(row.at_ms),
  decisionDay: row.day,
  adKey: keyOf(row.ad_id),
  assignmentKey: keyOf(row.assignment_id),
  bannerKey: keyOf(row.banner_id),
  campaignKey: keyOf(row.campaign_id),
  placementKey: keyOf(row.placement_id),
})

const keyOf = (text: string | null) => (text === null ? undefined : Number(text))

export async function addCredits(
  client: ClientBase,
  { eventId, receivedAtMs, kind }: Pick<Conversion, 'eventId' | 'receivedAtMs' | 'kind'>,
  credits: readonly StoredCredit[],
): Promise<void> {
  if (credits.length === 0) return
  const touches = credits.map(({ touch }) => touch)
  await client.query(
    `insert into conversion_credits (conversion_id, place, decision_day, touch, touch_event_id, touched_at,
                                     ad_id, assignment_id, banner_id, campaign_id, placement_id, share, credited_at,
                                     kind)
     select $1, place - 1, date 'epoch' + day_number, touch, touch_id, to_timestamp(at_ms / 1000),
            ad_id, assignment_id, banner_id, campaign_id, placement_id, share, to_timestamp($2::float8 / 1000),
            $13
       from unnest($3::integer[], $4::text[], $5::uuid[], $6::float8[], $7::bigint[], $8::bigint[],
                   $9::bigint[], $10::bigint[], $11::bigint[], $12::smallint[])
         with ordinality as c (day_number, touch, touch_id, at_ms, ad_id, assignment_id, banner_id,
                               campaign_id, placement_id, share, place)`,
    [
      eventId,
      receivedAtMs,
      plainArray(touches.map(({ decisionDay }) => decisionDay)),
      plainArray(touches.map(({ kind }) => kind)),
      plainArray(touches.map(({ eventId }) => eventId)),
      plainArray(touches.map(({ atMs }) => atMs)),
      plainArray(touches.map(({ adKey }) => adKey)),
      plainArray(touches.map(({ assignmentKey }) => assignmentKey)),
      plainArray(touches.map(({ bannerKey }) => bannerKey)),
      plainArray(touches.map(({ campaignKey }) => campaignKey)),
      plainArray(touches.map(({ placementKey }) => placementKey)),
      plainArray(credits.map(({ share }) => share)),
      kind,
    ],
  )
}
