import { expect, test } from 'vitest'
import { advertisers } from '../../campaigns/tables.ts'
import { createBudgetBook } from '../../budgets/index.ts'
import {
  aServingWorld,
  newRow,
  startServing,
  type ServingWorld,
} from '../../../testing/worlds/serving-world.ts'

/** Northwind and a bystander each bid on one placement. What Northwind writes is refused. */
async function twoBuyers() {
  const world = await aServingWorld()
  const { db, deps, buyer } = world
  const own = await world.addPlacement({ type: 'feed', mode: 'hybrid' })
  await world.addBidder(own, 5_000_000n)
  const other = await world.addPlacement({ type: 'feed', mode: 'hybrid', slug: 'elsewhere' })
  const [advertiser] = await db
    .insert(advertisers)
    .values({ ...newRow(deps, buyer), name: 'Bystander', currency: 'EUR' })
    .returning()
  const advertiserId = advertiser!.id
  const campaign = await world.addCampaign({ advertiserId, name: 'Bystander' })
  await world.addCampaignPlacement(campaign, other)
  await world.addAd(campaign, 1_000_000n, await world.addBanner({ advertiserId }))
  return { world }
}

const BEYOND = '9999999999999999'

/** A value per table that the index, the content or the budget book cannot take. */
const REFUSED: Readonly<Record<string, { readonly spoil: string; readonly mend: string }>> = {
  advertisers: {
    spoil: `update advertisers set budget_daily_micros = ${BEYOND} where name = 'Northwind'`,
    mend: 'update advertisers set budget_daily_micros = null',
  },
  campaigns: {
    spoil: `update campaigns set budget_total_micros = ${BEYOND} where name = 'Autumn'`,
    mend: 'update campaigns set budget_total_micros = null',
  },
  ads: {
    spoil: `update ads set bid_micros = ${BEYOND} where bid_micros = 5000000`,
    mend: 'update ads set bid_micros = 5000000 where bid_micros > 5000000',
  },
  placements: {
    spoil: `update placements set floor_micros = ${BEYOND} where slug = 'home-top'`,
    mend: 'update placements set floor_micros = 0',
  },
  campaign_targeting_rules: {
    spoil: `insert into campaign_targeting_rules
       (public_id, account_id, campaign_id, rule_type, operator, value, created_at, updated_at)
     select gen_random_uuid(), account_id, id, 'country', 'in', 'null', now(), now()
       from campaigns where name = 'Autumn'`,
    mend: `update campaign_targeting_rules set value = '{"value":true}', rule_type = 'login_state',
             operator = 'eq', is_active = false`,
  },
}

const start = async (world: ServingWorld) => {
  const { clock, random } = world.deps
  const node = await startServing(world, {
    ports: { budgets: createBudgetBook({ clock, random }) },
  })
  const statusOf = async (placement: string) => (await node.serveAd({ placement })).statusCode
  return { ...node, statusOf }
}

const setAsideIn = async ({ pool }: ServingWorld) => {
  const { rows } = await pool.query<{ entity: string }>(
    `select entity from set_aside_rows where reader = 'decisions.index'`,
  )
  return rows.map(({ entity }) => entity)
}

const pauseBystander = ({ pool }: ServingWorld) =>
  pool.query(`update campaigns set status = 'paused' where name = 'Bystander'`)

test.each(Object.entries(REFUSED))(
  'a row of %s that the index refuses is set aside, and changes of others come through',
  async (table, { spoil, mend }) => {
    const { world } = await twoBuyers()
    const { statusOf, untilApplied } = await start(world)
    expect(await statusOf('home-top')).toBe(200)

    await world.pool.query(spoil)
    await untilApplied()
    expect(await statusOf('home-top')).not.toBe(200)
    expect(await statusOf('elsewhere')).toBe(200)
    expect(await setAsideIn(world)).toEqual([table])

    await pauseBystander(world)
    await untilApplied()
    expect(await statusOf('elsewhere')).toBe(204)

    await world.pool.query(mend)
    await untilApplied()
    expect(await statusOf('home-top')).toBe(200)
    expect(await setAsideIn(world)).toEqual([])
  },
)

test('a node starts with refused rows in every table, and applies them once they are repaired', async () => {
  const { world } = await twoBuyers()
  for (const { spoil } of Object.values(REFUSED)) await world.pool.query(spoil)

  const { statusOf, untilApplied } = await start(world)
  expect(await statusOf('elsewhere')).toBe(200)
  expect(await statusOf('home-top')).not.toBe(200)
  expect((await setAsideIn(world)).toSorted()).toEqual(Object.keys(REFUSED).toSorted())

  for (const { mend } of Object.values(REFUSED)) await world.pool.query(mend)
  await untilApplied()
  expect(await statusOf('home-top')).toBe(200)
  expect(await setAsideIn(world)).toEqual([])
})

test('a refused rule stays refused while another rule of its campaign changes', async () => {
  const { world } = await twoBuyers()
  await world.pool.query(REFUSED['campaign_targeting_rules']!.spoil)
  const { statusOf, untilApplied } = await start(world)

  await world.pool.query(`insert into campaign_targeting_rules
     (public_id, account_id, campaign_id, rule_type, operator, value, created_at, updated_at)
   select gen_random_uuid(), account_id, id, 'device', 'in', '{"values":["desktop"]}', now(), now()
     from campaigns where name = 'Autumn'`)
  await untilApplied()

  expect(await statusOf('home-top')).not.toBe(200)
  expect(await setAsideIn(world)).toEqual(['campaign_targeting_rules'])
})
