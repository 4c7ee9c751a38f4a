import { describe, expect, test } from 'vitest'
import {
  addAd,
  addCampaign,
  addCaps,
  aMarket,
  booksOf,
  countRows,
  eventsOf,
  settlerOn,
} from '../testing.ts'
import { listQuarantined } from './store-quarantine.ts'

const FIRST = { countsRepeats: true }

describe('a settled batch', () => {
  test('a charge adds the same amount to the day, the advertiser and the lifetime, with ledger entries', async () => {
    const market = await aMarket()
    const campaignKey = await addCampaign(market, { dailyMicros: 1_000_000n })
    const anEvent = eventsOf(market)
    const events = Array.from({ length: 3 }, () =>
      anEvent({ campaignKey, chargeMicros: 2_500_500 }),
    )

    const settled = await settlerOn(market).settle(events, FIRST)

    expect(settled).toMatchObject({ repeats: 0, quarantined: 0 })
    const millis = 7_501_500
    expect(await booksOf(market.pool, campaignKey)).toEqual({
      campaign: millis,
      advertiser: millis,
      total: millis,
    })
    const { rows } = await market.pool.query(
      'select scope, kind, amount_micros from ledger_entries order by scope',
    )
    expect(rows).toEqual([
      { scope: 'advertiser', kind: 'settled', amount_micros: '7501' },
      { scope: 'campaign', kind: 'settled', amount_micros: '7501' },
    ])
  })

  test('an event counts once, even if it is repeated in a later batch', async () => {
    const market = await aMarket()
    const campaignKey = await addCampaign(market)
    const event = eventsOf(market)({ campaignKey })
    const settler = settlerOn(market)

    const first = await settler.settle([event, event], FIRST)
    const second = await settler.settle([event], FIRST)

    expect([first.repeats, second.repeats]).toEqual([1, 1])
    expect(await countRows(market.pool, 'impressions')).toBe(1)
    expect((await booksOf(market.pool, campaignKey)).campaign).toBe(1_000_000)
    const { rows } = await market.pool.query(
      'select label, impressions::integer from delivery_stats order by label',
    )
    expect(rows).toEqual([
      { label: 'duplicate', impressions: 2 },
      { label: 'valid', impressions: 1 },
    ])
  })

  test('a CPM campaign pays for impressions, and a CPC campaign for clicks', async () => {
    const market = await aMarket()
    const [cpm, cpc] = [await addCampaign(market), await addCampaign(market)]
    const anEvent = eventsOf(market)
    const atMs = market.deps.clock.now().getTime()
    const pairs = [
      { campaignKey: cpm, pricing: 'cpm', chargeMicros: 2_000 },
      { campaignKey: cpc, pricing: 'cpc', chargeMicros: 2_000 },
    ] as const
    const events = pairs.flatMap((terms) => {
      const seen = anEvent({ ...terms, occurredAtMs: atMs - 1_000 })
      return [seen, anEvent({ ...terms, kind: 'click', decisionId: seen.decisionId })]
    })

    await settlerOn(market).settle(events, FIRST)

    expect((await booksOf(market.pool, cpm)).campaign).toBe(2_000)
    expect((await booksOf(market.pool, cpc)).campaign).toBe(2_000_000)
  })

  test('a click is labelled by its impression: none, too fast, or valid', async () => {
    const market = await aMarket()
    const campaignKey = await addCampaign(market)
    const anEvent = eventsOf(market)
    const atMs = market.deps.clock.now().getTime()
    const shown = (agoMs: number) => anEvent({ campaignKey, occurredAtMs: atMs - agoMs })
    const [early, late] = [shown(100), shown(99)]
    const click = (decisionId?: string) =>
      anEvent({ campaignKey, kind: 'click', ...(decisionId && { decisionId }) })
    const settler = settlerOn(market)
    await settler.settle([early], FIRST)

    await settler.settle([late, click(early.decisionId), click(late.decisionId), click()], FIRST)

    const { rows } = await market.pool.query('select label, billing from clicks order by label')
    expect(rows).toEqual([
      { label: 'no-impression', billing: 'invalid' },
      { label: 'too-fast', billing: 'invalid' },
      { label: 'valid', billing: 'free' },
    ])
  })

  test('only valid events are billed, and all events are stored and counted by label', async () => {
    const market = await aMarket()
    const campaignKey = await addCampaign(market)
    const anEvent = eventsOf(market)

    await settlerOn(market).settle(
      [anEvent({ campaignKey }), anEvent({ campaignKey, label: 'bot' })],
      FIRST,
    )

    expect((await booksOf(market.pool, campaignKey)).campaign).toBe(1_000_000)
    const { rows } = await market.pool.query(
      'select label, charged_millis::integer as millis from delivery_stats order by label',
    )
    expect(rows).toEqual([
      { label: 'bot', millis: 0 },
      { label: 'valid', millis: 1_000_000 },
    ])
    const totals = await market.pool.query('select impressions::integer from campaign_totals')
    expect(totals.rows).toEqual([{ impressions: 1 }])
  })

  test('an event without a tracking link counts once by its own key, whatever auction it matches', async () => {
    const market = await aMarket()
    const campaignKey = await addCampaign(market)
    const anEvent = eventsOf(market)
    const seenKey = '00000000-0000-8000-b000-000000000001'
    const settler = settlerOn(market)

    await settler.settle([anEvent({ campaignKey, seenKey })], FIRST)
    const again = await settler.settle([anEvent({ campaignKey, seenKey })], FIRST)

    expect(again.repeats).toBe(1)
    expect(await countRows(market.pool, 'impressions')).toBe(1)
  })

  test('an event of a house banner has no campaign, is stored and costs nothing', async () => {
    const market = await aMarket()
    const { campaignKey: _, ...house } = eventsOf(market)({ source: 'banner' })

    const { fresh } = await settlerOn(market).settle([house], FIRST)

    expect(fresh).toMatchObject([{ billing: 'free' }])
    expect(await countRows(market.pool, 'budget_days')).toBe(0)
  })

  test('impressions of known users count towards each cap, in its window', async () => {
    const market = await aMarket()
    const [capped, free] = [await addCampaign(market), await addCampaign(market)]
    await addCaps(market, capped, ['Hour', 'Week', 'Lifetime'])
    const anEvent = eventsOf(market)
    const userKey = 'somebody'

    await settlerOn(market).settle(
      [
        anEvent({ campaignKey: capped, userKey }),
        anEvent({ campaignKey: capped, userKey }),
        anEvent({ campaignKey: capped, userKey, label: 'bot' }),
        anEvent({ campaignKey: capped }),
        anEvent({ campaignKey: free, userKey }),
      ],
      FIRST,
    )

    const { rows } = await market.pool.query(
      `select "window" as size, window_start = window_start_of("window", $1) as "isStart", impressions
         from frequency_counts order by size`,
      [market.deps.clock.now()],
    )
    expect(rows).toEqual([
      { size: 'Hour', isStart: true, impressions: 2 },
      { size: 'Lifetime', isStart: true, impressions: 2 },
      { size: 'Week', isStart: true, impressions: 2 },
    ])
  })
})

describe('what users have seen', () => {
  test('the users’ committed counts are reported with every batch', async () => {
    const market = await aMarket()
    const campaignKey = await addCampaign(market)
    await addCaps(market, campaignKey, ['Lifetime'])
    const anEvent = eventsOf(market)
    const settler = settlerOn(market)
    const seenBy = (userKey: string) => anEvent({ campaignKey, userKey })

    await settler.settle([seenBy('ada'), seenBy('ada')], FIRST)
    const { seen } = await settler.settle([seenBy('ada'), seenBy('bob')], FIRST)

    const count = { scope: 'campaign', key: campaignKey, window: 'Lifetime', startMs: 0 }
    expect(seen.toSorted((a, b) => a.impressions - b.impressions)).toEqual([
      { ...count, userKey: 'bob', impressions: 1 },
      { ...count, userKey: 'ada', impressions: 3 },
    ])
  })

  test('the users’ counts are reported by a retry too, if the first attempt committed without an answer', async () => {
    const market = await aMarket()
    const campaignKey = await addCampaign(market)
    await addCaps(market, campaignKey, ['Lifetime'])
    const anEvent = eventsOf(market)
    const [stored, fresh] = [
      anEvent({ campaignKey, userKey: 'ada' }),
      anEvent({ campaignKey, userKey: 'bob' }),
    ]
    const settler = settlerOn(market)
    await settler.settle([stored], FIRST)

    const { seen } = await settler.settle([stored, fresh], { countsRepeats: false })

    const report = seen.map(({ userKey, impressions }) => `${userKey} ${impressions}`)
    expect(report.toSorted()).toEqual(['ada 1', 'bob 1'])
  })
})

describe('where money is short', () => {
  test('earlier events are charged and the rest is over-delivery; no event is charged in part', async () => {
    const market = await aMarket()
    const campaignKey = await addCampaign(market, { dailyMicros: 2_500n })
    const anEvent = eventsOf(market)
    const atMs = market.deps.clock.now().getTime()
    const at = (agoMs: number, chargeMicros = 1_000_000) =>
      anEvent({ campaignKey, occurredAtMs: atMs - agoMs, chargeMicros })

    await settlerOn(market).settle([at(1), at(4), at(2), at(3), at(0, 500_000)], FIRST)

    const { rows } = await market.pool.query('select billing from impressions order by occurred_at')
    expect(rows.map(({ billing }) => billing)).toEqual([
      'charged',
      'charged',
      'over-delivery',
      'over-delivery',
      'charged',
    ])
    expect((await booksOf(market.pool, campaignKey)).campaign).toBe(2_500_000)
  })

  test.each([
    ['the campaign day', undefined, { dailyMicros: 1_000n }],
    ['the advertiser day', 1_000n, {}],
    ['the lifetime', undefined, { totalMicros: 1_000n }],
  ])('%s alone is enough to refuse', async (_, advertiserDaily, budgets) => {
    const market = await aMarket(advertiserDaily)
    const campaignKey = await addCampaign(market, budgets)
    const anEvent = eventsOf(market)

    const { fresh } = await settlerOn(market).settle(
      [anEvent({ campaignKey }), anEvent({ campaignKey })],
      FIRST,
    )

    expect(fresh.map(({ billing }) => billing).toSorted()).toEqual(['charged', 'over-delivery'])
    expect(await booksOf(market.pool, campaignKey)).toEqual({
      campaign: 1_000_000,
      advertiser: 1_000_000,
      total: 1_000_000,
    })
  })

  test('a repeat takes no money from other events', async () => {
    const market = await aMarket()
    const campaignKey = await addCampaign(market, { dailyMicros: 2_000n })
    const anEvent = eventsOf(market)
    const [first, second] = [anEvent({ campaignKey, occurredAtMs: 0 }), anEvent({ campaignKey })]
    const settler = settlerOn(market)
    await settler.settle([first], FIRST)

    const { fresh } = await settler.settle([first, second], FIRST)

    expect(fresh).toMatchObject([{ event: { eventId: second.eventId }, billing: 'charged' }])
  })

  test('one event is published per budget that is used up', async () => {
    const market = await aMarket()
    const campaignKey = await addCampaign(market, { dailyMicros: 1_000n })
    const anEvent = eventsOf(market)
    const settler = settlerOn(market)

    await settler.settle([anEvent({ campaignKey })], FIRST)
    await settler.settle([anEvent({ campaignKey })], FIRST)

    const { rows } = await market.pool.query('select type, data from outbox')
    expect(rows).toMatchObject([
      {
        type: 'budget.exhausted.v1',
        data: { budget: 'campaign-day', limitMicros: '1000', spentMicros: '1000' },
      },
    ])
  })

  test('a deleted campaign is charged nothing', async () => {
    const market = await aMarket()

    const { fresh } = await settlerOn(market).settle(
      [eventsOf(market)({ campaignKey: 999 })],
      FIRST,
    )

    expect(fresh).toMatchObject([{ billing: 'over-delivery', chargedMillis: 0n }])
  })
})

describe('a rejected event', () => {
  test('a rejected event is found by halving and quarantined, and the others settle', async () => {
    const market = await aMarket()
    const campaignKey = await addCampaign(market)
    const anEvent = eventsOf(market)
    const events = Array.from({ length: 11 }, () => anEvent({ campaignKey }))
    const rejected = anEvent({ campaignKey, pageUrl: 'https://shop.example/\0' })

    const settled = await settlerOn(market).settle(events.toSpliced(4, 0, rejected), FIRST)

    expect(settled).toMatchObject({ quarantined: 1, fresh: { length: 11 } })
    expect(await countRows(market.pool, 'impressions')).toBe(11)
    const { rows } = await market.pool.query(
      'select event_id, reason, event from quarantined_events',
    )
    expect(rows).toMatchObject([{ event_id: rejected.eventId, reason: 'poison' }])
    expect(JSON.parse(rows[0].event)).toEqual(JSON.parse(JSON.stringify(rejected)))
  })

  test('quarantined events are listed with ad, campaign and banner; a deleted banner shows as none', async () => {
    const market = await aMarket()
    const campaignKey = await addCampaign(market)
    const ad = await addAd(market, campaignKey)
    const anEvent = eventsOf(market)
    const pageUrl = 'https://shop.example/\0'
    const events = [
      anEvent({ campaignKey, winnerKey: ad.key, bannerKey: ad.bannerKey, pageUrl }),
      anEvent({ campaignKey, source: 'assignment', bannerKey: 999, kind: 'click', pageUrl }),
    ]

    await settlerOn(market).settle(events, FIRST)

    const listed = await listQuarantined(market.pool, 10)
    expect(listed.toSorted((one, other) => other.kind.localeCompare(one.kind))).toMatchObject([
      {
        kind: 'impression',
        ad: { id: ad.publicId, name: 'Autumn ad' },
        campaign: { name: 'Autumn' },
        banner: { name: 'Leaves' },
      },
      { kind: 'click', ad: null, campaign: { name: 'Autumn' }, banner: null },
    ])
  })
})
