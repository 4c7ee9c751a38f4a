import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { Row } from '../../../platform/database/row.ts'
import type { AdSource, StatCounts } from '../providers/stat.ts'
import { countsFrom } from '../sync/store-sync.ts'

export interface SellpageQuery {
  readonly scope: { readonly isPlatform: boolean; readonly accountId: bigint }
  readonly from: string
  readonly to: string
  readonly by: 'sellpage' | 'day'
  readonly advertiserId?: string | undefined
  readonly sellpageId?: string | undefined
  readonly adSource?: string | undefined
}

export interface SellpageRow {
  readonly fields: {
    readonly sellpageId: string
    readonly name: string
    readonly url: string
    readonly advertiserId: string
    readonly adSource: AdSource
    readonly date: string | null
    readonly currency: string
  }
  readonly counts: StatCounts
}

type Found = SellpageRow['fields'] & Record<string, unknown>

const SELLPAGE_SUMS = sql`
  coalesce(sum(ad_spend_micros), 0)::bigint as spend_micros, coalesce(sum(impressions), 0)::bigint as impressions,
  coalesce(sum(link_clicks), 0)::bigint as link_clicks, coalesce(sum(content_views), 0) as content_views,
  coalesce(sum(add_to_cart), 0) as add_to_cart, coalesce(sum(checkout_initiated), 0) as checkout_initiated,
  coalesce(sum(purchases), 0) as purchases, coalesce(sum(revenue_micros), 0)::bigint as purchase_value_micros`

const matching = ({ scope, from, to, advertiserId, sellpageId, adSource }: SellpageQuery) => sql`
  from sellpage_stats_daily s
  join sellpages p on p.id = s.sellpage_id
  join advertisers a on a.id = s.advertiser_id
 where s.stat_date between ${from}::date and ${to}::date
   and (${scope.isPlatform}::boolean or p.account_id = ${String(scope.accountId)}::bigint)
   and (${advertiserId ?? null}::uuid is null or a.public_id = ${advertiserId ?? null}::uuid)
   and (${sellpageId ?? null}::uuid is null or p.public_id = ${sellpageId ?? null}::uuid)
   and (${adSource ?? null}::text is null or s.ad_source = ${adSource ?? null})`

/** Figures of sellpages, from the days that syncs wrote. Largest spend first. */
export async function listSellpageStats(
  db: Database,
  query: SellpageQuery & { readonly limit: number },
): Promise<readonly SellpageRow[]> {
  const day = query.by === 'day' ? sql`s.stat_date::text` : sql`null::text`
  const { rows } = await db.execute<Row<Found>>(sql`
    select p.public_id as "sellpageId", p.name, p.url, a.public_id as "advertiserId",
           s.ad_source as "adSource", ${day} as date, a.currency, ${SELLPAGE_SUMS}
      ${matching(query)}
     group by 1, 2, 3, 4, 5, 6, 7
     order by spend_micros desc, 6 desc, 1, 5
     limit ${query.limit}`)
  return rows.map((row) => {
    const { sellpageId, name, url, advertiserId, adSource, date, currency } = row
    const fields = { sellpageId, name, url, advertiserId, adSource, date, currency }
    return { fields, counts: countsFrom(row) }
  })
}

export async function sumSellpageStats(db: Database, query: SellpageQuery) {
  const day = query.by === 'day' ? sql`, s.stat_date` : sql``
  const { rows } = await db.execute(sql`
    select a.currency, count(distinct (s.sellpage_id, s.ad_source${day}))::int as rows, ${SELLPAGE_SUMS}
      ${matching(query)}
     group by 1 order by 1`)
  return rows.map((row) => ({
    currency: String(row['currency']),
    rows: Number(row['rows']),
    counts: countsFrom(row),
  }))
}
