import { micros } from '@placard/money'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { MIGRATIONS } from '../../../platform/database/migrate.ts'
import { addAccount } from '../../../testing/world.ts'
import { aServingWorld, newRow } from '../../../testing/worlds/serving-world.ts'
import { startWhole } from '../../../testing/worlds/whole-world.ts'
import { publishers } from '../../inventory/tables.ts'
import { userKeyAt } from './reader-key.ts'

const WITHIN = { timeout: 20_000 }
const TABLES = ['auctions', 'impressions', 'views', 'clicks', 'conversions', 'frequency_counts']
/** A key as it was before readers were told apart by publisher. */
const OLD = 'q83vEjRWeJCrze8SNFZ4kA'

/** Runs the part of the migration that mends rows; the columns are there already. */
async function migrationOfKeys(): Promise<string> {
  const sql = await readFile(path.join(MIGRATIONS, '0340_readers_of_a_publisher.sql'), 'utf8')
  return sql.slice(sql.indexOf('create temp table publisher_of'))
}

test('rows of before become those of the publishers that saw the reader', async () => {
  const world = await aServingWorld()
  const { deps, pool, seller } = world
  const tribune = await addAccount(deps, 'publisher')
  await deps.db
    .insert(publishers)
    .values({ ...newRow(deps, tribune), name: 'Tribune', currency: 'EUR' })
  const placement = await world.addPlacement({ mode: 'auction', type: 'feed' })
  await world.addBidder(placement, 500_000n, {
    pricing: 'cpc',
    maxBidMicros: micros(1_000_000n),
  })
  await pool.query(
    `update banners set cta_url = 'https://shop.example/';
     insert into frequency_caps (public_id, account_id, advertiser_id, max_impressions_per_user,
                                 "window", created_at, updated_at)
     select gen_random_uuid(), account_id, id, 9, 'Day', now(), now() from advertisers`,
  )
  const { get, post, serveAd, serving } = await startWhole(world)
  const ad = await serveAd({ placement: 'home-top', userId: '42' })
  await get(ad.impressionUrl!)
  await post('/t/e', { events: [{ token: ad.eventToken, kind: 'view' }] })
  deps.clock.advance(2)
  const { headers } = await get(ad.clickUrl!)
  const token = new URL(String(headers.location)).searchParams.get('placard_click')
  await post('/t/v', { token, kind: 'purchase', orderId: '1' })
  await serving.recorder.flush()
  const keysIn = async (table: string) => {
    const { rows } = await pool.query<{ key: string }>(
      `select distinct user_key as key from ${table} where user_key is not null`,
    )
    return rows.map(({ key }) => key)
  }
  for (const table of TABLES) await expect.poll(() => keysIn(table), WITHIN).toHaveLength(1)

  for (const table of TABLES) await pool.query(`update ${table} set user_key = $1`, [OLD])
  await pool.query(
    `delete from user_segments;
     update conversions set occurred_at = now();
     insert into user_segments (user_key, segments, updated_at)
       values ('${OLD}', '{vip}', now()), ('nobody saw this one..', '{vip}', now());
     insert into forgotten_users (user_key, asked_at) values ('forgotten', now())`,
  )
  await pool.query(await migrationOfKeys())

  const own = userKeyAt(Number(seller.id), OLD)
  for (const table of TABLES) expect([table, await keysIn(table)]).toEqual([table, [own]])
  const { rows } = await pool.query(
    `select user_key, account_id, segments, purchased_at is not null as bought
       from user_segments order by account_id`,
  )
  expect(rows).toEqual([
    { user_key: own, account_id: String(seller.id), segments: ['vip'], bought: true },
    { user_key: 'nobody saw this one..', account_id: null, segments: [], bought: false },
  ])
  expect((await keysIn('forgotten_users')).toSorted()).toEqual(
    [
      'forgotten',
      ...[seller, tribune].map(({ id }) => userKeyAt(Number(id), 'forgotten')),
    ].toSorted(),
  )
})
