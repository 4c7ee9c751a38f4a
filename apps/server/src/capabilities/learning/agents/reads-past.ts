import type { Row } from '../../../platform/database/row.ts'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { SeenAuction } from './past-day.ts'
import { idList, inDays, type Span, within } from './reads-agents.ts'

export interface SampledAuctions {
  readonly seen: readonly SeenAuction[]
  /** Maximum number of rows. */
  readonly count: number
}

interface Sampling extends Span {
  readonly campaignKeys: readonly number[]
  readonly limit: number
  /** Also reads where each auction was held. */
  readonly hasScenes?: boolean | undefined
}

const DRAWS = 65_536

/**
 * Auctions that each campaign could have met, evenly sampled up to a maximum each. Reads all
 * campaigns of a span in one pass: a placement gives as many as its most demanding campaign needs.
 */
export async function sampleAuctions(
  db: Database,
  { campaignKeys, limit, hasScenes = false, ...span }: Sampling,
): Promise<ReadonlyMap<number, SampledAuctions>> {
  const placements = await listPlacements(db, campaignKeys)
  const counts = await countByPlacement(db, span, [...new Set([...placements.values()].flat())])
  const drawnBelow = new Map<number, number>()
  const wanted = new Map<number, number>()
  const totals = new Map<number, number>()
  for (const [campaignKey, own] of placements) {
    const count = own.reduce((sum, placement) => sum + (counts.get(placement) ?? 0), 0)
    const below = Math.round(DRAWS * Math.min(1, limit / Math.max(1, count)))
    totals.set(campaignKey, count)
    drawnBelow.set(campaignKey, below)
    for (const one of own) wanted.set(one, Math.max(wanted.get(one) ?? 0, below))
  }
  const drawn = Map.groupBy(
    await drawAuctions(db, { ...span, hasScenes }, wanted),
    (one) => one.placementKey,
  )
  return new Map(
    [...placements].map(([campaignKey, own]) => [
      campaignKey,
      {
        count: totals.get(campaignKey)!,
        seen: own.flatMap((placement) =>
          (drawn.get(placement) ?? []).filter(({ draw }) => draw < drawnBelow.get(campaignKey)!),
        ),
      },
    ]),
  )
}

async function listPlacements(
  db: Database,
  campaignKeys: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const { rows } = await db.execute<Row<{ campaign: number; placement: number }>>(sql`
    select campaign_id::float8 as campaign, placement_id::float8 as placement
      from campaign_placements where is_active and campaign_id = any (${idList(campaignKeys)})`)
  const links = rows
  const byCampaign = Map.groupBy(links, ({ campaign }) => campaign)
  return new Map(
    campaignKeys.map((key) => [key, (byCampaign.get(key) ?? []).map(({ placement }) => placement)]),
  )
}

async function countByPlacement(
  db: Database,
  span: Span,
  placementKeys: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await db.execute(sql`
    select a.placement_id::float8 as placement, count(*)::float8 as count from auctions a
     where ${inDays(span)} and ${within('a.auction_time', span)}
       and a.placement_id = any (${idList(placementKeys)})
     group by 1`)
  return new Map(rows.map((row) => [row['placement'] as number, row['count'] as number]))
}

async function drawAuctions(
  db: Database,
  { hasScenes, ...span }: Span & { readonly hasScenes: boolean },
  wanted: ReadonlyMap<number, number>,
): Promise<readonly (SeenAuction & { readonly placementKey: number; readonly draw: number })[]> {
  const { rows } = await db.execute<Row<SeenAuction & { placementKey: number; draw: number }>>(sql`
    select a.placement_id::float8 as "placementKey", hashtext(a.id::text) & 65535 as draw,
           extract(epoch from a.auction_time)::float8 * 1000 as "atMs", a.bids,
           a.floor_micros::float8 as "floorMicros"${hasScenes ? SCENE : sql``}
      from auctions a
      ${hasScenes ? SCENE_TABLES : sql``}
      join unnest(${idList([...wanted.keys()])}, ${idList([...wanted.values()])})
           as w (placement, below) on w.placement = a.placement_id
     where ${inDays(span)} and ${within('a.auction_time', span)}
       and (hashtext(a.id::text) & 65535) < w.below`)
  return rows
}

const SCENE = sql`, jsonb_build_object('placementType', p.type, 'siteKey', a.site_id,
  'width', coalesce(t.width, p.recommended_width),
  'height', coalesce(t.height, p.recommended_height),
  'timeZone', p.time_zone, 'context', a.context) as scene`
const SCENE_TABLES = sql`join placements p on p.id = a.placement_id
  left join slots t on t.placement_id = p.id and t.deleted_at is null`

export interface WonMinute {
  readonly campaignKey: number
  /** Since 1970. */
  readonly minute: number
  readonly value: number
  readonly spend: number
}

/** Auctions that campaigns won, per minute: predicted clicks and expected cost. */
export async function listWonMinutes(
  db: Database,
  span: Span,
  campaignKeys: readonly number[],
): Promise<readonly WonMinute[]> {
  const { rows } = await db.execute<Row<WonMinute>>(sql`
    select (w.winner ->> 3)::float8 as "campaignKey",
           floor(extract(epoch from a.auction_time) / 60)::float8 as minute,
           sum(case when w.winner ->> 5 = 'cpc' then (w.winner ->> 12)::float8 else 1 end) as value,
           sum(case when w.winner ->> 5 = 'cpc'
                    then (w.winner ->> 7)::float8 * (w.winner ->> 12)::float8
                    else (w.winner ->> 7)::float8 / 1000 end) as spend
      from auctions a cross join lateral jsonb_array_elements(a.winners) as w (winner)
     where ${inDays(span)} and ${within('a.auction_time', span)} and w.winner ->> 0 = 'auction'
       and (w.winner ->> 3)::bigint = any (${idList(campaignKeys)})
     group by 1, 2`)
  return rows
}
