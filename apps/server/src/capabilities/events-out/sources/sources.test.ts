import { expect, test } from 'vitest'
import { FEED_START } from '../../../platform/database/ordered-feed.ts'
import { readSources } from '../../../platform/outbox/sources.ts'
import { daysToPrepare } from '../../decisions/records/auction-day.ts'
import {
  aDecision,
  aWinner,
  batchOf,
  recordsFrom,
} from '../../decisions/records/testing-records.ts'
import { addAuctions } from '../../decisions/records/store-auctions.ts'
import { addPartitions } from '../../decisions/records/store-partitions.ts'
import { convert } from '../../tracking/conversions/convert.ts'
import { addCampaign, aMarket, eventsOf, type Market, settlerOn } from '../../tracking/testing.ts'
import { EVENT_SOURCES } from './sources.ts'
import { until } from '../../../testing/until.ts'

const START = EVENT_SOURCES.map(() => FEED_START)

type SourceEvents = Awaited<ReturnType<typeof readSources>>['events'][number][]

/** All published events from the beginning. Open transactions in other databases may delay them. */
async function readAll({ db }: Market, wants: (type: string) => boolean = () => true) {
  const events: SourceEvents = []
  let cursors: readonly (typeof FEED_START)[] = START
  await until('every source is read to its end', async () => {
    const query = { sources: EVENT_SOURCES, cursors, limit: 3, wants }
    const page = await readSources(db, query)
    events.push(...page.events)
    cursors = page.next
    return page.state === 'end'
  })
  return events
}

async function publicIdOf({ pool }: Market, table: string, key: number): Promise<string> {
  const { rows } = await pool.query(`select public_id from ${table} where id = $1`, [key])
  return rows[0].public_id
}

async function aCampaign(market: Market) {
  const key = await addCampaign(market, { dailyMicros: 5_000_000n })
  return { key, id: await publicIdOf(market, 'campaigns', key) }
}

test('impressions and clicks are published in the order of settlement, then the day’s spend', async () => {
  const market = await aMarket()
  const campaign = await aCampaign(market)
  const anEvent = eventsOf(market)
  const userKey = 'user-key'
  const shown = anEvent({ campaignKey: campaign.key, userKey, chargeMicros: 2_000_000 })
  const click = anEvent({
    campaignKey: campaign.key,
    userKey,
    decisionId: shown.decisionId,
    kind: 'click',
    occurredAtMs: shown.occurredAtMs + 1_000,
  })
  const settler = settlerOn(market)
  await settler.settle([shown], { countsRepeats: true })
  await settler.settle([click, shown], { countsRepeats: true })

  const events = await readAll(market)

  expect(events.map(({ type }) => type)).toEqual([
    'ads.impression.tracked.v1',
    'spend.updated.v1',
    'ads.click.tracked.v1',
  ])
  expect(events.map(({ subject }) => subject)).toEqual([campaign.id, campaign.id, campaign.id])
  expect(events[0]).toMatchObject({
    id: shown.eventId,
    data: {
      userId: userKey,
      campaignId: campaign.id,
      timestamp: new Date(shown.occurredAtMs).toISOString(),
      label: 'valid',
      billing: 'charged',
    },
  })
  expect(events[1]!.data).toMatchObject({
    campaignId: campaign.id,
    advertiserId: await publicIdOf(market, 'advertisers', market.advertiserKey),
    dailyBudgetMicros: '5000000',
    todaySpendMicros: '2000',
    dayStart: '2026-06-14T22:00:00.000Z',
    tz: 'Europe/Berlin',
  })
})

test('publishing again gives the same ids', async () => {
  const market = await aMarket()
  const { key } = await aCampaign(market)
  const events = [1, 2, 3].map(() => eventsOf(market)({ campaignKey: key }))
  await settlerOn(market).settle(events, { countsRepeats: true })

  const first = await readAll(market)
  const second = await readAll(market)

  expect(second).toEqual(first)
  expect(new Set(first.map(({ id }) => id)).size).toBe(4)
})

test('every winner of a decision is an ad served, with the fields of the auction', async () => {
  const market = await aMarket()
  const { key, id: campaignId } = await aCampaign(market)
  const { deps, db } = market
  await addPartitions(db, daysToPrepare(deps.clock.now()))
  const winners = [
    aWinner({ campaignKey: key, finalPriceMicros: 12_500, score: 40_000 }),
    aWinner({ source: 'booking', campaignKey: key, score: 0 }),
  ]
  const record = recordsFrom(deps.ids)({ decision: aDecision({ winners }) })
  const empty = recordsFrom(deps.ids)({ decision: aDecision({ winners: [] }) })
  await addAuctions(db, batchOf([record, empty]))

  const events = await readAll(market)

  expect(events.map(({ type, subject }) => [type, subject])).toEqual([
    ['ad.served.v1', campaignId],
    ['ad.served.v1', campaignId],
  ])
  expect(events[0]).toMatchObject({
    id: record.decisionId,
    data: {
      auctionId: record.decisionId,
      campaignId,
      userId: 'user-key',
      placementType: 'feed',
      finalPrice: 0.0125,
      finalPriceMicros: '12500',
      winningEcpm: 0.04,
      servedAt: '2026-06-15T12:00:00.000Z',
    },
  })
  expect(events[1]!.data).toMatchObject({ auctionId: record.decisionId, source: 'booking' })
})

test('a conversion is published with the share of each campaign', async () => {
  const market = await aMarket()
  const campaign = await aCampaign(market)
  const userKey = 'user-key'
  const nowMs = market.deps.clock.now().getTime()
  const shown = eventsOf(market)({
    campaignKey: campaign.key,
    userKey,
    occurredAtMs: nowMs - 60_000,
  })
  const click = eventsOf(market)({
    campaignKey: campaign.key,
    userKey,
    decisionId: shown.decisionId,
    kind: 'click',
    occurredAtMs: nowMs - 30_000,
  })
  await settlerOn(market).settle([shown, click], { countsRepeats: true })
  await convert(
    { pool: market.ingestPool, listShowings: async () => [] },
    {
      eventId: market.deps.ids.next(),
      kind: 'purchase',
      way: 'server',
      decisionDay: shown.decisionDay,
      decisionId: undefined,
      advertiserKey: market.advertiserKey,
      userKey,
      orderId: 'order-1',
      valueMicros: 20_000_000n,
      currency: 'EUR',
      occurredAtMs: nowMs,
      receivedAtMs: nowMs,
      clock: 'on-time',
      label: 'valid',
    },
  )

  const [conversion, ...others] = await readAll(
    market,
    (type) => type === 'ads.conversion.tracked.v1',
  )

  expect(others).toEqual([])
  expect(conversion).toMatchObject({
    type: 'ads.conversion.tracked.v1',
    subject: campaign.id,
    data: {
      kind: 'purchase',
      orderId: 'order-1',
      value: 20,
      currency: 'EUR',
      credits: [{ campaignId: campaign.id, touch: 'click', share: 1 }],
    },
  })
})

test('a batch with an open transaction is not skipped, and nothing after it is published', async () => {
  const market = await aMarket()
  const { key } = await aCampaign(market)
  const open = await market.pool.connect()
  await open.query('begin')
  await open.query(
    `insert into settled_batches (node, events, decision_days, settled_at)
     values ('slow', 1, '{2026-06-15}', now())`,
  )
  await settlerOn(market).settle([eventsOf(market)({ campaignKey: key })], { countsRepeats: true })
  const query = { sources: EVENT_SOURCES, cursors: START, limit: 100, wants: () => true }

  const page = await readSources(market.db, query)
  await open.query('commit')
  open.release()

  expect(page).toMatchObject({ events: [], state: 'held-back' })
  expect(await readAll(market)).toHaveLength(2)
})
