import { expect, test } from 'vitest'
import { diceOf } from '../../../testing/worlds/history.ts'
import { syncLevel } from '../sync/operations-sync.ts'
import { LEVELS } from './stat.ts'
import { aChannelWorld, type ChannelWorld } from '../../../testing/worlds/channel-world.ts'

const DAY = '2026-06-15'

/** Sums as the builder of reports writes them: fractions of micros, and shares of conversions. */
async function addSums({ deps }: ChannelWorld, seed: number): Promise<void> {
  const dice = diceOf(seed)
  const { rows } = await deps.db.execute<
    Record<'ad' | 'ad_set_id' | 'campaign_id' | 'advertiser_id', string>
  >(
    'select a.id as ad, a.ad_set_id, a.campaign_id, c.advertiser_id from ads a join campaigns c on c.id = a.campaign_id',
  )
  for (const { ad, ad_set_id, campaign_id, advertiser_id } of rows) {
    for (const [label, country] of [
      ['valid', 'DE'],
      ['valid', 'FR'],
      ['bot', 'DE'],
    ]) {
      await deps.db.execute(`
        insert into stats_cube (grain, bucket, advertiser_id, campaign_id, ad_set_id, ad_id, banner_id, placement_id,
                                site_id, country, device, label, budget_day, currency, impressions, clicks,
                                charged_millis, purchases, revenue)
        values ('day', '${DAY}T00:00:00Z', ${advertiser_id}, ${campaign_id}, ${ad_set_id}, ${ad}, 1, 1, 1,
                '${country}', 'mobile', '${label}', '${DAY}', 'EUR', ${dice(1_000)}, ${dice(50)},
                ${dice(9_999_999)}, ${dice(30_000)}, ${dice(900_000_000)})`)
    }
  }
}

test('our own events are reported in the same shape, and ads add up to ad sets and campaigns', async () => {
  const world = await aChannelWorld({ provider: 'onsite' })
  const { shop, deps, syncing } = world
  for (const campaign of [await shop.addRunning(), await shop.addRunning()]) {
    for (let n = 0; n < 3; n++) await shop.addAd(campaign)
  }
  await addSums(world, 7)
  const { signal } = new AbortController()

  for (const level of LEVELS) {
    const order = { advertiserId: shop.advertiserId, level, from: '2026-06-14', to: DAY }
    await syncLevel(syncing, order, signal)
  }

  const { rows: levels } = await deps.db.execute(`
    select sum(spend_micros) as spend, sum(impressions) as impressions, sum(link_clicks) as clicks,
           sum(purchases) as purchases, sum(purchase_value_micros) as value
      from ad_stats_daily group by entity_type, ad_source having ad_source = 'ONSITE'`)
  expect(levels).toHaveLength(3)
  expect(new Set(levels.map((row) => JSON.stringify(row))).size).toBe(1)
  const { rows } = await deps.db.execute(`
    select sum(impressions)::text as impressions, sum(clicks)::text as clicks,
           (sum(purchases) / 10000)::numeric(20, 4)::text as purchases
      from stats_cube where label = 'valid'`)
  expect(levels[0]).toMatchObject(rows[0]!)
  const { rows: pages } = await deps.db.execute(
    `select ad_source, stat_date from sellpage_stats_daily order by stat_date`,
  )
  expect(pages).toEqual([
    { ad_source: 'ONSITE', stat_date: '2026-06-14' },
    { ad_source: 'ONSITE', stat_date: DAY },
  ])
})
