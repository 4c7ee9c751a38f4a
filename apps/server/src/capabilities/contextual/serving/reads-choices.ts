import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { Row } from '../../../platform/database/row.ts'

/** A slot of a known page that an ad won. */
export interface Choice {
  readonly decidedAtMs: number
  readonly page: string
  readonly campaignId: string
  readonly campaignName: string
  readonly score: number
  readonly secondScore: number | null
  /** From the current index. Null if the ad is not on the page's list. */
  readonly relevance: number | null
  readonly propensity: number | null
}

const CHOICES_MAX = 20
/** Limits how much of a busy day is read. */
const LOOKED_BACK_MS = 3_600_000

export async function listChoices(
  db: Database,
  { siteId, now }: { readonly siteId: bigint; readonly now: Date },
): Promise<readonly Choice[]> {
  const from = new Date(now.getTime() - LOOKED_BACK_MS).toISOString()
  const { rows } = await db.execute<Row<Choice>>(sql`
    with won as (
      select a.auction_time, a.placement_id, a.context ->> 'page' as page, w.winner
        from auctions a cross join lateral jsonb_array_elements(a.winners) as w (winner)
       where a.decided_on >= (${from}::timestamptz at time zone 'UTC')::date
         and a.auction_time >= ${from}::timestamptz and a.site_id = ${siteId}
         and a.context ? 'page' and w.winner ->> 0 = 'auction'
       order by a.auction_time desc limit ${CHOICES_MAX}
    )
    select extract(epoch from won.auction_time)::float8 * 1000 as "decidedAtMs", won.page,
           c.public_id as "campaignId", c.name as "campaignName",
           (won.winner ->> 9)::float8 as score, (won.winner ->> 10)::float8 as "secondScore",
           (won.winner ->> 14)::float8 as propensity,
           (select (x ->> 'relevance')::float8
              from serve_index i, jsonb_array_elements(i.candidates -> won.placement_id::text) x
             where i.site_id = ${siteId} and i.url = won.page
               and x ->> 'adKey' = won.winner ->> 1 limit 1) as relevance
      from won join campaigns c on c.id = (won.winner ->> 3)::bigint
     order by won.auction_time desc`)
  return rows
}
