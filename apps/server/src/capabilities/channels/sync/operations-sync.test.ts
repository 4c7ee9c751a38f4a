import { expect, test } from 'vitest'
import { mockProvider } from '../providers/mock.ts'
import { ProviderPaused, syncLevel } from './operations-sync.ts'
import { LEVELS, type Level, type StatProvider } from '../providers/stat.ts'
import { aChannelWorld, type ChannelWorld } from '../../../testing/worlds/channel-world.ts'

const DAY = '2026-06-15'
const { signal } = new AbortController()

const syncDay = ({ syncing, shop }: ChannelWorld, level: Level, its = {}) =>
  syncLevel(syncing, { advertiserId: shop.advertiserId, level, from: DAY, to: DAY, ...its }, signal)

async function syncAll(world: ChannelWorld, its = {}): Promise<void> {
  for (const level of LEVELS) await syncDay(world, level, its)
}

async function read({ deps }: ChannelWorld, query: string): Promise<Record<string, unknown>[]> {
  return (await deps.db.execute(query)).rows
}

const daysOf = (world: ChannelWorld) =>
  read(
    world,
    `select advertiser_id, entity_type, entity_id, stat_date, ad_source, spend_micros, impressions, link_clicks,
            content_views, add_to_cart, checkout_initiated, purchases, purchase_value_micros, cpm, ctr, cpc,
            cost_per_purchase, roas
       from ad_stats_daily order by 2, 3, 4`,
  )
const sellpagesOf = (world: ChannelWorld) =>
  read(world, 'select * from sellpage_stats_daily order by sellpage_id, stat_date, ad_source')

test('a sync writes the provider’s raw answer, its day, and the sellpage’s day', async () => {
  const world = await aChannelWorld()
  const campaignId = await world.shop.addRunning()
  const requested = {
    advertiserId: world.shop.advertiserId,
    level: 'CAMPAIGN' as const,
    entities: [
      {
        id: campaignId,
        externalId: undefined,
        budget: { dailyMicros: 100_000_000n, totalMicros: undefined, adSets: 0, ads: 0 },
      },
    ],
    from: DAY,
    to: DAY,
    fetchedAt: world.deps.clock.now(),
    account: { externalId: undefined, credentials: undefined, currency: 'EUR' },
    signal,
  }
  const [reported] = (await mockProvider.fetchStats(requested)).rows

  const result = await syncDay(world, 'CAMPAIGN')

  expect(result).toEqual({ rawInserted: 1, dailyUpserted: 1, sellpageUpserted: 1 })
  const [day] = await daysOf(world)
  expect(day).toMatchObject({
    entity_type: 'CAMPAIGN',
    stat_date: DAY,
    ad_source: 'META',
    spend_micros: String(reported!.spendMicros),
    impressions: String(reported!.impressions),
    link_clicks: String(reported!.linkClicks),
    purchase_value_micros: String(reported!.purchaseValueMicros),
  })
  expect(Number(day!['cpm'])).toBe(reported!.cpm)
  expect(Number(day!['roas'])).toBe(reported!.roas)
  const [page] = await sellpagesOf(world)
  expect(page).toMatchObject({
    ad_spend_micros: String(reported!.spendMicros),
    impressions: String(reported!.impressions),
    revenue_micros: String(reported!.purchaseValueMicros),
  })
  expect(Number(page!['cr1'])).toBe(Number(page!['ctr']))
  expect(Number(page!['orders_count'])).toBe(reported!.purchases)
})

test('ten syncs in a row leave the same days and sellpages, and only add raw answers', async () => {
  const world = await aChannelWorld()
  for (let n = 0; n < 3; n++) await world.shop.addAd(await world.shop.addRunning())
  await syncAll(world)
  const once = [await daysOf(world), await sellpagesOf(world)]

  for (let round = 0; round < 9; round++) {
    world.deps.clock.advance(300)
    await syncAll(world)
  }

  expect([await daysOf(world), await sellpagesOf(world)]).toEqual(once)
  expect(once[0]).toHaveLength(9)
  expect(await read(world, 'select count(*)::int as rows from ad_stats_raw')).toEqual([
    { rows: 90 },
  ])
})

/** Reports a little more each time. */
function growing(days: 'latest' | 'sum'): StatProvider {
  let round = 0
  return {
    ...mockProvider,
    days,
    async fetchStats(requested) {
      round += 1
      const { rows } = await mockProvider.fetchStats(requested)
      return {
        rows: rows.map((row) => ({
          ...row,
          impressions: 100 * round,
          linkClicks: 7,
          spendMicros: 1_000_000n,
        })),
      }
    },
  }
}

test('a day is the last answer, or the sum of answers with only new figures; ratios are derived again', async () => {
  const latest = await aChannelWorld({}, { mock: growing('latest') })
  const summed = await aChannelWorld({}, { mock: growing('sum') })
  for (const world of [latest, summed]) {
    await world.shop.addRunning()
    for (let round = 0; round < 3; round++) {
      world.deps.clock.advance(300)
      await syncDay(world, 'CAMPAIGN')
    }
  }

  const [last] = await daysOf(latest)
  const [sum] = await daysOf(summed)
  expect(last).toMatchObject({ impressions: '300', link_clicks: '7', spend_micros: '1000000' })
  expect(sum).toMatchObject({ impressions: '600', link_clicks: '21', spend_micros: '3000000' })
  expect([Number(last!['ctr']), Number(sum!['ctr'])]).toEqual([0.0233, 0.035])
  expect([Number(last!['cpm']), Number(sum!['cpm'])]).toEqual([3.3333, 5])
})

test('a late answer does not replace a later one', async () => {
  const world = await aChannelWorld({}, { mock: growing('latest') })
  await world.shop.addRunning()
  world.deps.clock.moveTo('2026-06-15T12:10:00Z')
  await syncDay(world, 'CAMPAIGN')
  world.deps.clock.moveTo('2026-06-15T12:05:00Z')

  await syncDay(world, 'CAMPAIGN')

  expect(await daysOf(world)).toMatchObject([{ impressions: '100' }])
})

test('an advertiser without campaigns is synced without error, and nothing is written', async () => {
  const world = await aChannelWorld()
  const nobody = { ...world.shop, advertiserId: '01890000-0000-7000-8000-00000000dead' }

  expect(await syncDay(world, 'AD')).toMatchObject({ rawInserted: 0, dailyUpserted: 0 })
  expect(await syncDay({ ...world, shop: nobody }, 'CAMPAIGN')).toMatchObject({ rawInserted: 0 })
})

test('a campaign without a sellpage or connection, or in an inactive account, leaves no sellpage row', async () => {
  const world = await aChannelWorld()
  await world.shop.addRunning({ sellpageId: null })
  await world.shop.addRunning({ connectionId: null })

  expect(await syncDay(world, 'CAMPAIGN')).toEqual({
    rawInserted: 1,
    dailyUpserted: 1,
    sellpageUpserted: 0,
  })
  await world.deps.db.execute('update channel_connections set is_active = false')
  expect(await syncDay(world, 'CAMPAIGN')).toMatchObject({ rawInserted: 0 })
})

test('a campaign that changes its sellpage moves its days to the new one', async () => {
  const world = await aChannelWorld()
  const id = await world.shop.addRunning()
  await syncDay(world, 'CAMPAIGN')

  await world.deps.db.execute(`update campaigns set sellpage_id = null where public_id = '${id}'`)
  await syncDay(world, 'CAMPAIGN')

  expect(await sellpagesOf(world)).toEqual([])
})

test('one account’s figures are kept when another fails, and the failure is shown until it works again', async () => {
  let isBroken = true
  const meta: StatProvider = {
    ...mockProvider,
    async fetchStats(requested) {
      if (isBroken) throw new Error('no answer')
      return mockProvider.fetchStats(requested)
    },
  }
  const world = await aChannelWorld({}, { meta })
  await world.shop.addRunning()
  await world.deps.db.execute(`
    insert into channel_connections (public_id, account_id, advertiser_id, name, connection_type, provider,
                                     created_at, updated_at)
    select gen_random_uuid(), account_id, advertiser_id, 'Other', 'AD_ACCOUNT', 'meta', now(), now()
      from channel_connections`)
  const other = await world.shop.addRunning()
  await world.deps.db.execute(`
    update campaigns set connection_id = (select max(id) from channel_connections) where public_id = '${other}'`)
  const failures = () =>
    read(
      world,
      'select failure, failing_since is not null as failing from channel_connections order by id',
    )

  await expect(syncDay(world, 'CAMPAIGN')).rejects.toThrow('no answer')
  expect(await daysOf(world)).toHaveLength(1)
  expect(await failures()).toEqual([
    { failure: null, failing: false },
    { failure: 'no answer', failing: true },
  ])

  isBroken = false
  await syncDay(world, 'CAMPAIGN')
  expect(await daysOf(world)).toHaveLength(2)
  expect(await failures()).toMatchObject([{ failing: false }, { failing: false }])
})

test('a working level does not hide a failing one, and the connection works when all levels do', async () => {
  let failing: Level | undefined = 'AD'
  const mock: StatProvider = {
    ...mockProvider,
    async fetchStats(requested) {
      if (requested.level === failing) throw new Error('no ads today')
      return mockProvider.fetchStats(requested)
    },
  }
  const world = await aChannelWorld({}, { mock })
  await world.shop.addAd(await world.shop.addRunning())
  const health = async () =>
    (
      await read(
        world,
        'select levels, failure, failing_since is null as well from channel_connections',
      )
    )[0]!
  await expect(syncDay(world, 'AD')).rejects.toThrow('no ads today')
  await syncDay(world, 'CAMPAIGN')
  await syncDay(world, 'ADSET')

  const at = '2026-06-15T12:00:00.000Z'
  const well = { syncedAt: at, failingSince: null, failure: null }
  expect(await health()).toEqual({
    levels: {
      CAMPAIGN: well,
      ADSET: well,
      AD: { syncedAt: null, failingSince: at, failure: 'no ads today' },
    },
    failure: 'no ads today',
    well: false,
  })

  failing = undefined
  await syncDay(world, 'AD')
  expect(await health()).toEqual({
    levels: { CAMPAIGN: well, ADSET: well, AD: well },
    failure: null,
    well: true,
  })
})

test('a platform’s pause is a wait, not a failure, and no later answer shortens it', async () => {
  const until = new Date('2026-06-15T13:00:00Z')
  const mock: StatProvider = {
    ...mockProvider,
    async fetchStats(requested) {
      if (requested.level === 'CAMPAIGN') throw new ProviderPaused('limit', until)
      return mockProvider.fetchStats(requested)
    },
  }
  const world = await aChannelWorld({}, { mock })
  await world.shop.addAd(await world.shop.addRunning())

  expect(await syncDay(world, 'CAMPAIGN')).toMatchObject({ rawInserted: 0, waitsUntil: until })
  expect(await syncDay(world, 'AD')).toMatchObject({ rawInserted: 0, waitsUntil: until })
  expect(
    await read(world, 'select failing_since, rests_until::text as rests from channel_connections'),
  ).toEqual([{ failing_since: null, rests: '2026-06-15 13:00:00+00' }])
})
