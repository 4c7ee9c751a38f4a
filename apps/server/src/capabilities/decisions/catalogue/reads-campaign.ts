import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { TableName } from './catalogue-rows.ts'

/** Units of every table that decide where one campaign's banners can be shown. */
export async function listUnitsOfCampaign(
  db: Database,
  campaignKey: number,
): Promise<ReadonlyMap<TableName, readonly number[]>> {
  const { rows } = await db.execute<{ table: TableName; unit: number }>(sql`
    with campaign as (select id, advertiser_id from campaigns where id = ${String(campaignKey)}::bigint),
    booked as (
      select id as ad_id, banner_id from ads
       where campaign_id = (select id from campaign) and deleted_at is null
      union all
      select null, banner_id from banner_assignments where campaign_id = (select id from campaign)
    ), place as (
      select l.placement_id, s.site_id from campaign_placements l
        left join slots s on s.placement_id = l.placement_id and s.deleted_at is null
       where l.campaign_id = (select id from campaign)
    )
    select "table", unit::float8 as unit from (
      select 'advertisers' as "table", advertiser_id as unit from campaign
      union select 'advertiser_site_blocks', advertiser_id from campaign
      union select 'campaigns', id from campaign
      union select 'campaign_placements', id from campaign
      union select 'banner_assignments', id from campaign
      union select 'ads', ad_id from booked where ad_id is not null
      union select 'banners', banner_id from booked
      union select 'placements', placement_id from place
      union select 'sites', site_id from place where site_id is not null
      union select 'site_ad_product_blocks', site_id from place where site_id is not null
      union select 'creative_approvals', id from creative_approvals
             where banner_id in (select banner_id from booked)
               and site_id in (select site_id from place)
    ) units`)
  const units = Map.groupBy(rows, ({ table }) => table)
  return new Map([...units].map(([table, found]) => [table, found.map(({ unit }) => unit)]))
}
