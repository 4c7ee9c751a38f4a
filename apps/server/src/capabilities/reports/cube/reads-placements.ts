import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'

/** What a placement delivered in a period, valid traffic only. */
export interface PlacementTraffic {
  readonly impressions: number
  readonly clicks: number
  /** Advertisers that were charged. */
  readonly buyers: number
  /** Average price of 1,000 impressions; undefined without any. */
  readonly cpmMicros: bigint | undefined
}

/** By placement, for days of UTC. One scan of the daily sums: keep its answer for a while. */
export async function readPlacementTraffic(
  db: Database,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<ReadonlyMap<bigint, PlacementTraffic>> {
  const { rows } = await db.execute<Record<string, string | null>>(sql`
    select placement_id::text as id, sum(impressions)::text as impressions, sum(clicks)::text as clicks,
           count(distinct advertiser_id) filter (where charged_millis > 0)::text as buyers,
           div(sum(charged_millis), nullif(sum(impressions), 0))::text as cpm
      from stats_cube
     where grain = 'day' and label = 'valid'
       and bucket >= ${from}::date::timestamp at time zone 'UTC'
       and bucket < (${to}::date + 1)::timestamp at time zone 'UTC'
     group by placement_id`)
  return new Map(
    rows.map(({ id, impressions, clicks, buyers, cpm }) => [
      BigInt(id!),
      {
        impressions: Number(impressions),
        clicks: Number(clicks),
        buyers: Number(buyers),
        cpmMicros: cpm == null ? undefined : BigInt(cpm),
      },
    ]),
  )
}
