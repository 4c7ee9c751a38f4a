import type { Row } from '../../../platform/database/row.ts'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { AgentCampaign } from './bid-plan.ts'

/** Campaigns that an agent may bid for: active, with a daily budget and ads in the auction. */
export async function listAgentCampaigns(
  db: Database,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<AgentCampaign[]> {
  const { rows } = await db.execute(sql`
    ${CAMPAIGNS} where c.id > ${after} and c.status = 'active' and ${ALLOWED} order by c.id
     limit ${limit}`)
  return rows.map(campaignOf)
}

/** The campaign, if an agent could bid for it once it is active. */
export async function findAgentCampaign(
  db: Database,
  campaignKey: number,
): Promise<AgentCampaign | undefined> {
  const { rows } = await db.execute(sql`${CAMPAIGNS} where c.id = ${campaignKey} and ${ALLOWED}`)
  return rows[0] && campaignOf(rows[0])
}

const CAMPAIGNS = sql`
  select c.id::float8 as "campaignKey", c.public_id as "publicId", c.account_id as "accountId",
         c.pricing, a.bid as "bidMicros", c.max_bid_micros::float8 as "maxBidMicros",
         c.may_exceed_max_bid as "mayExceedMax", c.pacing_strategy = 'Smooth' as "isSmooth",
         exists (select from campaign_targeting_rules r
                  where r.campaign_id = c.id and r.is_active) as "isTargeted",
         c.budget_daily_micros::float8 as "dailyMicros", v.time_zone as "timeZone",
         case when c.pricing = 'cpc' then c.target_cpa_micros::float8 end as "targetMicros",
         a.id::float8 as "adKey", a.format
    from campaigns c
    join advertisers v on v.id = c.advertiser_id
    join lateral (
      select a.id, a.bid_micros::float8 as bid, b.format from ads a
        join banners b on b.id = a.banner_id
       where a.campaign_id = c.id and a.status = 'active' and a.deleted_at is null
       order by a.bid_micros desc, a.id limit 1
    ) a on true`
const ALLOWED = sql`c.budget_daily_micros is not null and c.channel = 'onsite'
  and coalesce(c.deleted_at, v.deleted_at) is null`

const campaignOf = (row: Record<string, unknown>): AgentCampaign =>
  ({ ...row, accountId: BigInt(row['accountId'] as string) }) as unknown as AgentCampaign

/** From one instant to another, both on whole quarter-hours. */
export interface Span {
  readonly from: Date
  readonly to: Date
}

export const within = (column: string, { from, to }: Span) => sql`
  ${sql.raw(column)} >= ${from.toISOString()}::timestamptz
  and ${sql.raw(column)} < ${to.toISOString()}::timestamptz`
export const inDays = ({ from, to }: Span) => sql`
  a.decided_on between (${from.toISOString()}::timestamptz at time zone 'UTC')::date
                   and (${to.toISOString()}::timestamptz at time zone 'UTC')::date`
const QUARTER = sql`extract(epoch from date_bin('15 minutes', a.auction_time,
  timestamptz '2000-01-01 00:00:00Z'))::float8 * 1000`
export const idList = (keys: readonly number[]) => sql`${`{${keys.join()}}`}::bigint[]`

export interface Quarter {
  readonly campaignKey: number
  readonly startMs: number
}

/** Requests for the campaigns' placements per quarter-hour. */
export async function listRequests(
  db: Database,
  span: Span,
  campaignKeys: readonly number[],
): Promise<(Quarter & { readonly requests: number })[]> {
  const { rows } = await db.execute<Row<Quarter & { requests: number }>>(sql`
    with asked as materialized (
      select a.placement_id, a.placement_type, ${QUARTER} as start, count(*)::integer as requests
        from auctions a where ${inDays(span)} and ${within('a.auction_time', span)} group by 1, 2, 3
    )
    select l.campaign_id::float8 as "campaignKey", asked.start as "startMs",
           sum(asked.requests)::integer as requests
      from campaign_placements l
      join asked on asked.placement_id = l.placement_id
     where l.is_active and l.campaign_id = any (${idList(campaignKeys)})
     group by 1, 2`)
  return rows
}

/**
 * Auctions that the campaigns won, per quarter-hour: count, expected cost, predicted clicks, and
 * predicted conversions of a campaign with a target.
 */
export async function listWins(
  db: Database,
  span: Span,
  campaignKeys: readonly number[],
): Promise<readonly Wins[]> {
  const { rows } = await db.execute<Row<Wins>>(sql`
    select (w.winner ->> 3)::float8 as "campaignKey", ${QUARTER} as "startMs",
           count(*)::integer as wins, sum((w.winner ->> 12)::float8) as value,
           coalesce(sum((w.winner ->> 12)::float8 * (w.winner ->> 15)::float8), 0) as conversions,
           sum(case when w.winner ->> 5 = 'cpc'
                    then (w.winner ->> 7)::float8 * (w.winner ->> 12)::float8
                    else (w.winner ->> 7)::float8 / 1000 end) as expected
      from auctions a cross join lateral jsonb_array_elements(a.winners) as w (winner)
     where ${inDays(span)} and ${within('a.auction_time', span)} and w.winner ->> 0 = 'auction'
       and (w.winner ->> 3)::bigint = any (${idList(campaignKeys)})
     group by 1, 2`)
  return rows
}

export interface Wins extends Quarter {
  readonly wins: number
  readonly expected: number
  readonly value: number
  readonly conversions: number
}

/** Valid clicks and charges per quarter-hour. */
export async function listCharged(
  db: Database,
  span: Span,
  campaignKeys: readonly number[],
): Promise<(Quarter & { readonly clicks: number; readonly charged: number })[]> {
  const { rows } = await db.execute<Row<Quarter & { clicks: number; charged: number }>>(sql`
    select campaign_id::float8 as "campaignKey", extract(epoch from bucket)::float8 * 1000 as "startMs",
           sum(clicks)::integer as clicks, sum(charged_millis)::float8 / 1000 as charged
      from stats_cube
     where grain = 'quarter' and ${within('bucket', span)} and label = 'valid'
       and campaign_id = any (${idList(campaignKeys)})
     group by 1, 2`)
  return rows
}

/** What the ledger has charged a campaign on a budget day. */
export async function findSpent(
  db: Database,
  { campaignKey, day }: { readonly campaignKey: number; readonly day: string },
): Promise<number> {
  const { rows } = await db.execute<{ spent: number }>(sql`
    select spent_micros::float8 as spent from budget_days
     where scope = 'campaign' and owner_id = ${campaignKey} and day = ${day}::date`)
  return rows[0]?.spent ?? 0
}
