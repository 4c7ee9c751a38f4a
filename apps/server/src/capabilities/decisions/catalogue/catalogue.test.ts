import { expect, onTestFinished, test, vi } from 'vitest'
import { manualTimers } from '../../../platform/background/manual-timers.ts'
import { systemClock } from '../../../platform/clock.ts'
import { connect } from '../../../platform/database/connect.ts'
import {
  aServingWorld,
  startServing,
  type ServingWorld,
} from '../../../testing/worlds/serving-world.ts'
import { openCatalogue } from './catalogue.ts'
import { plainBudgets } from '../serving/testing-ports.ts'

/** One ad that can win one placement, on one site. */
async function aScene() {
  const world = await aServingWorld()
  const placement = await world.addPlacement({ type: 'feed', mode: 'hybrid' })
  const site = await world.addSite()
  const banner = await world.addBanner({ adProductCategory: '1002' })
  const campaign = await world.addCampaign()
  await world.addCampaignPlacement(campaign, placement)
  const ad = await world.addAd(campaign, 5_000_000n, banner)
  await untilReadable(world)
  return { world, placement, site, banner, campaign, ad }
}

/**
 * Waits until the feed releases all changes of the scene. Any open transaction of the cluster holds
 * them back, even one of another test's database. A node that starts meanwhile would get them again
 * later, and repair a row that a test changed behind the feed before the reconciliation can.
 */
const untilReadable = ({ pool }: ServingWorld) =>
  vi.waitFor(
    async () => {
      const { rows } = await pool.query(
        'select 1 from changes where xid >= pg_snapshot_xmin(pg_current_snapshot()) limit 1',
      )
      expect(rows).toEqual([])
    },
    { timeout: 60_000, interval: 10 },
  )

type Scene = Awaited<ReturnType<typeof aScene>>

interface Case {
  readonly table: string
  prepare?(scene: Scene): Promise<unknown>
  readonly before: number
  readonly change: (scene: Scene) => string
  readonly after: number
  /** For rows that are deleted outright. */
  readonly undo?: string
}

const onSite = ({ world, site, placement }: Scene) => world.addSlot(site, placement)
const onStrictSite = async (scene: Scene) => {
  await scene.world.pool.query('update sites set approval_required = true')
  await onSite(scene)
}
const insert =
  (table: string, columns: string, values: string) =>
  ({ world }: Scene) =>
    `insert into ${table} (public_id, account_id, created_at, updated_at, ${columns})
   select gen_random_uuid(), ${world.buyer.id}, now(), now(), ${values}`

const CASES: readonly Case[] = [
  {
    table: 'publishers',
    before: 200,
    change: () => `update publishers set currency = 'USD'`,
    after: 204,
  },
  {
    table: 'sites',
    prepare: onSite,
    before: 200,
    change: () => 'update sites set is_active = false',
    after: 404,
  },
  {
    table: 'site_ad_product_blocks',
    prepare: onSite,
    before: 200,
    change: () => `insert into site_ad_product_blocks select id, '1002', now() from sites`,
    after: 204,
    undo: 'delete from site_ad_product_blocks',
  },
  {
    table: 'placements',
    before: 200,
    change: () => 'update placements set floor_micros = 900000000',
    after: 204,
  },
  {
    table: 'slots',
    prepare: onStrictSite,
    before: 204,
    change: () => 'update slots set deleted_at = now()',
    after: 200,
  },
  {
    table: 'advertisers',
    before: 200,
    change: () => 'update advertisers set deleted_at = now()',
    after: 204,
  },
  {
    table: 'advertiser_site_blocks',
    prepare: onSite,
    before: 200,
    change: () =>
      'insert into advertiser_site_blocks select a.id, s.id, now() from advertisers a, sites s',
    after: 204,
    undo: 'delete from advertiser_site_blocks',
  },
  {
    table: 'banners',
    before: 200,
    change: () => 'update banners set is_active = false',
    after: 204,
  },
  {
    table: 'creative_approvals',
    prepare: onStrictSite,
    before: 204,
    change: insert(
      'creative_approvals',
      'site_id, banner_id, banner_account_id, status',
      `s.id, b.id, b.account_id, 'approved' from sites s, banners b`,
    ),
    after: 200,
    undo: `update creative_approvals set status = 'rejected'`,
  },
  {
    table: 'campaigns',
    before: 200,
    change: () => `update campaigns set status = 'paused'`,
    after: 204,
  },
  {
    table: 'ad_sets',
    before: 200,
    change: () => `update ad_sets set status = 'paused'`,
    after: 204,
  },
  {
    table: 'ads',
    before: 200,
    change: () => `update ads set status = 'paused'`,
    after: 204,
  },
  {
    table: 'campaign_placements',
    before: 200,
    change: () => 'delete from campaign_placements',
    after: 204,
  },
  {
    table: 'banner_assignments',
    prepare: ({ world }) => world.pool.query('update ads set deleted_at = now()'),
    before: 204,
    change: () =>
      `insert into banner_assignments
         (campaign_id, placement_id, banner_id, created_at, updated_at)
       select c.id, p.id, b.id, now(), now() from campaigns c, placements p, banners b`,
    after: 200,
    undo: 'delete from banner_assignments',
  },
  {
    table: 'campaign_targeting_rules',
    before: 200,
    change: insert(
      'campaign_targeting_rules',
      'campaign_id, rule_type, operator, value',
      `id, 'country', 'in', '{"values":["DE"]}' from campaigns`,
    ),
    after: 204,
    undo: 'delete from campaign_targeting_rules',
  },
  {
    table: 'frequency_caps',
    before: 200,
    change: insert(
      'frequency_caps',
      'ad_id, max_impressions_per_user, "window"',
      `id, 1, 'Day' from ads`,
    ),
    after: 204,
    undo: 'delete from frequency_caps',
  },
  {
    table: 'campaign_totals',
    before: 200,
    prepare: async ({ world: { pool } }) => {
      await pool.query('update campaigns set impression_cap = 10')
      await pool.query(
        'insert into campaign_totals (campaign_id, impressions) select id, 9 from campaigns',
      )
    },
    change: () => 'update campaign_totals set impressions = 10',
    after: 204,
    undo: 'update campaigns set impression_cap = 11',
  },
]

test.each(CASES)('a change of $table reaches the next answer', async (oneCase) => {
  const scene = await aScene()
  await oneCase.prepare?.(scene)
  const { world, ad } = scene
  const { serveAd, untilApplied, counters } = await startServing(world)
  const ask = () => serveAd({ placement: 'home-top', userId: 'u1' })
  counters.counts.set(`u1 ad ${ad.id} Day`, 1)
  expect((await ask()).statusCode).toBe(oneCase.before)

  await world.pool.query(oneCase.change(scene))
  await untilApplied()

  expect((await ask()).statusCode).toBe(oneCase.after)
  if (oneCase.undo === undefined) return
  await world.pool.query(oneCase.undo)
  await untilApplied()
  expect((await ask()).statusCode).toBe(oneCase.before)
})

test('blocking an ad product blocks everything below it and nothing above it', async () => {
  const { world, site, placement } = await aScene()
  await world.addSlot(site, placement)
  const { serveAd, untilApplied } = await startServing(world)
  const statusWith = async (change: string) => {
    await world.pool.query(change)
    await untilApplied()
    return (await serveAd({ placement: 'home-top', userId: 'u1' })).statusCode
  }
  const aboutBeer = `update banners set ad_product_category = '1004'`
  const block = (category: string) =>
    `insert into site_ad_product_blocks select id, '${category}', now() from sites`

  expect(await statusWith(block('1004'))).toBe(200)
  expect(await statusWith(block('1002'))).toBe(204)
  expect(await statusWith(aboutBeer)).toBe(204)
  expect(
    await statusWith(`delete from site_ad_product_blocks where ad_product_category = '1002'`),
  ).toBe(204)
  expect(await statusWith('delete from site_ad_product_blocks')).toBe(200)
  expect(await statusWith(block('1002'))).toBe(204)
})

const FOLLOWED_BY_OTHERS = [
  'switches',
  'user_segments',
  'budget_resets',
  'bid_agents',
  'ctr_models',
  'serve_index',
  'pages',
]

test('every catalogue table of the change feed has a table applier', async () => {
  const { pool } = await aServingWorld()

  const { rows } = await pool.query<{ name: string }>(
    `select distinct event_object_table as name from information_schema.triggers
      where trigger_name like 'feed\\_%' and event_object_table <> all($1)`,
    [FOLLOWED_BY_OTHERS],
  )

  const tested = CASES.map(({ table }) => table)
  expect(rows.map(({ name }) => name).toSorted()).toEqual(tested.toSorted())
})

/** Writes with triggers disabled, as if the feed had lost the change. */
const unseen = async ({ pool }: ServingWorld, statement: string) => {
  const client = await pool.connect()
  await client.query(`set session_replication_role = replica; ${statement}`)
  await client.query('set session_replication_role = origin')
  client.release()
}

test('a reconciliation repairs a row that was changed behind the feed', async () => {
  const { world } = await aScene()
  const timers = manualTimers()
  const { serveAd, metrics } = await startServing(world, { timers })
  await unseen(world, `update campaigns set status = 'paused'`)
  expect((await serveAd()).statusCode).toBe(200)

  await expect
    .poll(() => {
      timers.pass(60_000)
      return metrics.getSingleMetricAsString('placard_index_repaired_units')
    })
    .toMatch(/units 1$/m)

  expect((await serveAd()).statusCode).toBe(204)
})

test('a reconciliation finds rows that appeared and rows that vanished', async () => {
  const { world, placement } = await aScene()
  const timers = manualTimers()
  const { serveAd, metrics } = await startServing(world, { timers })
  await unseen(world, 'delete from ads; delete from campaign_placements')
  await unseen(
    world,
    `insert into banner_assignments (campaign_id, placement_id, banner_id, created_at, updated_at)
     select c.id, ${placement.id}, b.id, now(), now() from campaigns c, banners b`,
  )

  await expect
    .poll(() => {
      timers.pass(60_000)
      return metrics.getSingleMetricAsString('placard_index_repaired_units')
    })
    .toMatch(/units 3$/m)

  expect((await serveAd({ placement: 'home-top' })).statusCode).toBe(204)
})

test('a reconciliation that finds no difference asks the database for sums only', async () => {
  const { world, campaign, placement } = await aScene()
  await world.addCampaignPlacement(campaign, await world.addPlacement({ slug: 'home-side' }))
  const asked: string[] = []
  const logged = connect({
    url: world.url,
    connectionsMax: 2,
    statementTimeoutMs: 20_000,
    onQuery: (text) => void asked.push(text),
  })
  onTestFinished(() => logged.close())
  const { db } = logged
  const { subscriber } = await openCatalogue({ db, clock: systemClock(), budgets: plainBudgets() })

  asked.length = 0
  await subscriber.onReconcile!()
  const afterLoad = asked.filter((text) => /as stamp\b/.test(text))
  await unseen(
    world,
    `update campaign_placements set is_active = false
    where placement_id = ${placement.id}`,
  )
  await subscriber.onReconcile!()
  const afterLoss = asked.filter((text) => /as stamp\b/.test(text))
  await subscriber.onReconcile!()

  expect(afterLoad).toEqual([])
  expect(afterLoss).toHaveLength(2)
  expect(asked.filter((text) => /as stamp\b/.test(text))).toHaveLength(2)
})

test("the budget book learns a campaign's terms, and that the campaign is gone", async () => {
  const { world, campaign } = await aScene()
  const budgets = plainBudgets()
  const { untilApplied } = await startServing(world, { ports: { budgets } })

  await world.pool.query(
    `update campaigns set budget_daily_micros = 7, pacing_strategy = 'Accelerated'`,
  )
  await untilApplied()
  const known = budgets.terms.get(Number(campaign.id))
  await world.pool.query('update campaigns set deleted_at = now()')
  await untilApplied()

  expect(known).toMatchObject({ dailyMicros: 7, totalMicros: undefined, strategy: 'Accelerated' })
  expect(budgets.terms.size).toBe(0)
})

test('a house booking costs nothing, any other booking its maximum bid', async () => {
  const world = await aServingWorld()
  const placement = await world.addPlacement()
  const { campaign } = await world.addBooking(placement, {}, 2_000_000n)
  const { serveSlug, untilApplied, budgets } = await startServing(world)

  await serveSlug()
  const heldMicros = budgets.heldMicros.get(Number(campaign.id))
  await world.pool.query(`update campaigns set source = 'internal'`)
  await untilApplied()
  await serveSlug()
  expect(budgets.heldMicros.get(Number(campaign.id))).toBe(4_000)
  await world.pool.query(`update advertisers set is_house = true`)
  await world.pool.query(`update campaigns set version = version + 1`)
  await untilApplied()
  await serveSlug()

  expect(heldMicros).toBe(2_000)
  expect(budgets.heldMicros.get(Number(campaign.id))).toBe(4_000)
})
