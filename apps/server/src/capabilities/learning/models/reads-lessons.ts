import type { Row } from '../../../platform/database/row.ts'
import type { Context } from '@placard/decision-engine'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { Feed } from '../../../platform/database/ordered-feed.ts'
import { type Batch, eventIdOf, settledFeed } from '../../tracking/index.ts'

export interface SettledBatch extends Batch {
  readonly settledAtMs: number
}

/** Batches of settled events, with their time of settlement. */
export const lessonFeed: Feed<SettledBatch> = {
  ...settledFeed,
  columns: [...settledFeed.columns, settledFeed.timeColumn],
  parse: (row) => ({
    ...settledFeed.parse(row),
    settledAtMs: new Date(row[settledFeed.timeColumn] as string).getTime(),
  }),
}

/** What an example is about: impressions for clicks, clicks for conversions. */
export type ShowingTable = 'impressions' | 'clicks'

export interface BareShowing {
  readonly eventId: string
  readonly decisionId: string
  readonly decisionDay: string
  readonly position: number
}

/** Valid events of campaigns in these batches. */
export async function listBare(
  db: Database,
  table: ShowingTable,
  batches: readonly Batch[],
): Promise<BareShowing[]> {
  const days = new Set(batches.flatMap(({ days }) => days.slice(1, -1).split(',')))
  const ids = batches.map(({ id }) => BigInt(id))
  const lowest = ids.reduce((a, b) => (a < b ? a : b))
  const highest = ids.reduce((a, b) => (a > b ? a : b))
  const { rows } = await db.execute<Row<BareShowing>>(sql`
    select e.event_id as "eventId", e.decision_id as "decisionId",
           e.decision_day::text as "decisionDay", e.position
      from ${sql.raw(table)} e
     where e.decision_day = any (${`{${[...days].join(',')}}`}::date[])
       and e.batch_id between ${`${lowest}`}::bigint and ${`${highest}`}::bigint
       and e.batch_id = any (${`{${ids.join(',')}}`}::bigint[])
       and e.label = 'valid' and e.campaign_id is not null and e.decision_id is not null`)
  return rows
}

/** An event with its decision. `context` is null without a record. */
export interface ShowingRow extends BareShowing {
  readonly adKey: number | null
  readonly campaignKey: number
  readonly format: string | null
  readonly placementType: string
  readonly siteKey: number | null
  readonly width: number | null
  readonly height: number | null
  readonly timeZone: string
  readonly decidedAtMs: number
  readonly device: string | null
  readonly country: string | null
  readonly context: Context | null
}

/** Full rows of these events, in the order of their times. */
export async function listShowings(
  db: Database,
  table: ShowingTable,
  bare: readonly BareShowing[],
): Promise<ShowingRow[]> {
  if (bare.length === 0) return []
  const { rows } = await db.execute<Row<ShowingRow>>(sql`
    select e.event_id as "eventId", e.decision_id as "decisionId",
           e.decision_day::text as "decisionDay", e.position,
           e.ad_id::float8 as "adKey", e.campaign_id::float8 as "campaignKey", b.format,
           p.type as "placementType", e.site_id::float8 as "siteKey",
           coalesce(t.width, p.recommended_width) as width,
           coalesce(t.height, p.recommended_height) as height, p.time_zone as "timeZone",
           extract(epoch from coalesce(a.auction_time, e.occurred_at))::float8 * 1000 as "decidedAtMs",
           e.device_type as device, e.country_code as country, a.context
      from ${sql.raw(table)} e
      join placements p on p.id = e.placement_id
      left join slots t on t.placement_id = p.id and t.deleted_at is null
      left join banners b on b.id = e.banner_id
      left join auctions a on a.decided_on = e.decision_day and a.id = e.decision_id
     where e.decision_day = any (${daysOf(bare)}::date[])
       and e.event_id = any (${idsOf(bare, ({ eventId }) => eventId)}::uuid[])
     order by e.occurred_at, e.event_id`)
  return rows
}

/** Ids of the valid clicks on these impressions. */
export async function listClicked(
  db: Database,
  shown: readonly BareShowing[],
): Promise<ReadonlySet<string>> {
  if (shown.length === 0) return new Set()
  const { rows } = await db.execute<{ event_id: string }>(sql`
    select event_id from clicks
     where decision_day = any (${daysOf(shown)}::date[])
       and event_id = any (${idsOf(shown, clickIdOf)}::uuid[]) and label = 'valid'`)
  return new Set(rows.map(({ event_id }) => event_id))
}

/** Ids of the clicks that got credit for a purchase. Only valid conversions give credit. */
export async function listConverted(
  db: Database,
  clicks: readonly BareShowing[],
): Promise<ReadonlySet<string>> {
  if (clicks.length === 0) return new Set()
  const { rows } = await db.execute<{ touch_event_id: string }>(sql`
    select distinct touch_event_id from conversion_credits
     where touch = 'click' and kind = 'purchase'
       and touch_event_id = any (${idsOf(clicks, ({ eventId }) => eventId)}::uuid[])`)
  return new Set(rows.map(({ touch_event_id }) => touch_event_id))
}

const daysOf = (shown: readonly BareShowing[]): string =>
  `{${[...new Set(shown.map(({ decisionDay }) => decisionDay))].join(',')}}`
const idsOf = (shown: readonly BareShowing[], idOf: (one: BareShowing) => string): string =>
  `{${shown.map(idOf).join(',')}}`

/** The id that a click on this impression has, if there is one. */
export const clickIdOf = ({ decisionId, position }: BareShowing): string =>
  eventIdOf(decisionId, 'click', position)
