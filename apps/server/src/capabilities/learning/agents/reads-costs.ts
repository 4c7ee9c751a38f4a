import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { Row } from '../../../platform/database/row.ts'
import { idList, type Span, within } from './reads-agents.ts'

/** What clicks of one minute have cost a campaign, and the purchases that followed. */
export interface CostMinute {
  readonly campaignKey: number
  /** Since 1970, of the decision. */
  readonly minute: number
  readonly spend: number
  /** A purchase that several campaigns share counts in part. */
  readonly purchases: number
  /** Predicted for these clicks; 0 where nothing was predicted. */
  readonly predicted: number
}

/** Clicks of campaigns by the minute of their decision. Purchases after a view count by its minute. */
export async function listCostMinutes(
  db: Database,
  span: Span,
  campaignKeys: readonly number[],
): Promise<readonly CostMinute[]> {
  const keys = idList(campaignKeys)
  const { rows } = await db.execute<Row<CostMinute>>(sql`
    with credited as (
      select campaign_id, touch, touch_event_id, touched_at, share / 10000.0 as purchases
        from conversion_credits
       where kind = 'purchase' and campaign_id = any (${keys})
         and credited_at >= ${span.from.toISOString()}::timestamptz
    ), minutes as (
      select e.campaign_id, coalesce(a.auction_time, e.occurred_at) as at,
             e.charged_millis / 1000.0 as spend,
             (select coalesce(sum(c.purchases), 0) from credited c
               where c.touch = 'click' and c.touch_event_id = e.event_id) as purchases,
             (select (w.winner ->> 15)::float8 from jsonb_array_elements(a.winners) as w (winner)
               where (w.winner ->> 3)::bigint = e.campaign_id limit 1) as predicted
        from clicks e
        left join auctions a on a.decided_on = e.decision_day and a.id = e.decision_id
       where e.decision_day between (${span.from.toISOString()}::timestamptz at time zone 'UTC')::date - 1
                                and (${span.to.toISOString()}::timestamptz at time zone 'UTC')::date
         and ${within('e.occurred_at', span)} and e.label = 'valid' and e.campaign_id = any (${keys})
      union all
      select campaign_id, touched_at, 0, purchases, 0 from credited
       where touch = 'view' and ${within('touched_at', span)}
    )
    select campaign_id::float8 as "campaignKey",
           floor(extract(epoch from at) / 60)::float8 as minute, sum(spend)::float8 as spend,
           sum(purchases)::float8 as purchases, coalesce(sum(predicted), 0)::float8 as predicted
      from minutes group by 1, 2`)
  return rows
}
