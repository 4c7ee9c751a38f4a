import { LOW_LOAD } from '../../../platform/background/load.ts'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../../../testing/services/database.ts'
import { allowed, serverWith } from '../../../testing/http.ts'
import { actorOf, addAccount } from '../../../testing/world.ts'
import { ROLE_PERMISSIONS } from '../../accounts/index.ts'
import { addShownPlacement, marketOn } from '../../campaigns/testing.ts'
import { prepareAuctionDays } from '../jobs.ts'
import { createRecorder } from './record-writer.ts'
import { aDecision, aWinner, NO_AD, recordsFrom } from './testing-records.ts'
import type { DecisionRecord } from './recorder.ts'
import { auctionRoutes } from './routes.ts'

async function world() {
  const connection = await freshDatabase()
  const market = await marketOn(connection)
  const { deps } = market
  await prepareAuctionDays(deps)
  const metrics = new Registry()
  const recorder = createRecorder({
    ...deps,
    load: LOW_LOAD,
    log: pino({ level: 'silent' }),
    metrics,
  })
  const server = await serverWith(deps, (http) =>
    auctionRoutes(http, {
      ...deps,
      readers: { userKeysOf: (userId) => [`${userId} at 1`, `${userId} at 2`] },
    }),
  )
  const operator = actorOf(await addAccount(deps, 'platform'))
  server.actAs(allowed(operator, 'decisions:read'))
  const get = async (path: string) =>
    (await server.http.inject({ url: `/api/v1/admin/auctions${path}` })).json()
  const keep = async (...records: Partial<DecisionRecord>[]) => {
    const made = records.map(recordsFrom(deps.ids))
    for (const record of made) recorder.record(record)
    await recorder.flush()
    return made.map(({ decisionId }) => decisionId)
  }
  return { ...connection, market, deps, server, operator, get, keep }
}

const at = (time: string) => ({ decidedAt: new Date(`2026-06-${time}Z`) })
const idsIn = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id)

describe('the list of auctions', () => {
  test('the list shows what was requested, who won and the exact price as a decimal', async () => {
    const { market, keep, get, pool } = await world()
    const campaignId = await market.addCampaign()
    const { adId } = await market.addAd(campaignId)
    const { placementId, siteId } = await addShownPlacement(market.deps)
    const keyOf = async (table: string, id: string) =>
      Number((await pool.query(`select id from ${table} where public_id = $1`, [id])).rows[0].id)
    const winner = aWinner({
      key: await keyOf('ads', adId),
      campaignKey: await keyOf('campaigns', campaignId),
      finalPriceMicros: 9_500,
    })
    const [id] = await keep({
      kind: 'slug',
      placementKey: await keyOf('placements', placementId),
      siteKey: await keyOf('sites', siteId),
      decision: aDecision({ winners: [winner] }),
    })

    expect(await get('')).toEqual({
      items: [
        {
          id,
          kind: 'slug',
          userKey: 'user-key',
          wonBy: 'bid',
          placementType: 'feed',
          placementId,
          siteId,
          auctionTime: '2026-06-15T12:00:00.000Z',
          bidCount: 2,
          winningAdId: adId,
          winningCampaignId: campaignId,
          currency: 'EUR',
          finalPrice: 0.0095,
          finalPriceMicros: '9500',
          winningEcpm: 0.01,
          winningEcpmMicros: '10000',
          emptyReason: null,
          indexVersion: 7,
          durationMicros: 25,
        },
      ],
      totalCount: 1,
      isTotalCapped: false,
      page: 1,
      pageSize: 20,
      totalPages: 1,
    })
  })

  test('the list is filtered by user, type and time; a day as the end includes the whole day', async () => {
    const { keep, get } = await world()
    const [a, b, c, d] = await keep(
      { ...at('14T23:59:59.999'), userKey: 'ann at 1', placementType: 'feed' },
      { ...at('15T00:00:00.000'), userKey: 'ann at 2', placementType: 'story' },
      { ...at('15T23:59:59.999'), userKey: 'bob at 1', placementType: 'feed' },
      { ...at('16T00:00:00.000'), userKey: undefined, placementType: 'feed' },
    )

    expect(idsIn(await get(''))).toEqual([d, c, b, a])
    expect(idsIn(await get('?userId=ann'))).toEqual([b, a])
    expect(idsIn(await get('?userId=ann&placementType=story'))).toEqual([b])
    expect(idsIn(await get('?placementType=feed'))).toEqual([d, c, a])
    expect(idsIn(await get('?startDate=2026-06-15&endDate=2026-06-15'))).toEqual([c, b])
    expect(idsIn(await get('?startDate=2026-06-15T23:59:59.999Z'))).toEqual([d, c])
    expect(idsIn(await get('?endDate=2026-06-15T00:00:00Z'))).toEqual([b, a])
  })

  test('the list is paged by number, and by a cursor that new auctions do not shift', async () => {
    const { keep, get } = await world()
    const ids = await keep(...Array.from({ length: 5 }, (_, i) => at(`15T12:00:0${i >> 1}`)))
    const newestFirst = ids.toReversed()

    const first = await get('?pageSize=2')
    await keep(at('15T13:00:00'))
    const second = await get(`?pageSize=2&cursor=${first.nextCursor}`)
    const third = await get(`?pageSize=2&cursor=${second.nextCursor}`)

    expect([first, second, third].map(idsIn)).toEqual([
      newestFirst.slice(0, 2),
      newestFirst.slice(2, 4),
      newestFirst.slice(4),
    ])
    expect(third).not.toHaveProperty('nextCursor')
    expect(await get('?pageSize=2&page=3')).toMatchObject({ page: 3, totalCount: 6, totalPages: 3 })
    expect(idsIn(await get('?pageSize=2&page=3'))).toEqual(newestFirst.slice(3))
  })

  test('the list counts exactly up to 10,000, and then says that there are more', async () => {
    const { pool, keep, get } = await world()
    const [id] = await keep({})
    const copy = (count: number) =>
      pool.query(
        `insert into auctions select (a).* from (
           select jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid())) as a
             from auctions a, generate_series(1, $1) where a.id = $2) as copies`,
        [count, id],
      )

    await copy(9_999)
    expect(await get('')).toMatchObject({ totalCount: 10_000, isTotalCapped: false })
    await copy(1)
    expect(await get('')).toMatchObject({
      totalCount: 10_000,
      isTotalCapped: true,
      totalPages: 500,
    })
  })

  test.each([
    ['?pageSize=101', 'querystring/pageSize'],
    ['?page=0', 'querystring/page'],
    ['?page=9999&pageSize=100', 'querystring/page'],
    ['?cursor=nonsense', 'querystring/cursor'],
    ['?startDate=yesterday', 'querystring/startDate'],
    ['?color=red', 'querystring/color'],
  ])('refuses %s and says where', async (query, path) => {
    const { get } = await world()

    const problem = await get(query)

    expect(problem).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
    expect(problem.faults.map((fault: { path: string }) => fault.path)).toContain(path)
  })

  test.each(['advertiser', 'publisher', 'trust'] as const)(
    'the list of auctions is not for %s',
    async (role) => {
      const { server, operator } = await world()
      server.actAs(allowed(operator, ...ROLE_PERMISSIONS[role]))

      for (const url of ['/auctions', '/auctions/statistics']) {
        const { statusCode } = await server.http.inject({ url: `/api/v1/admin${url}` })
        expect(statusCode).toBe(403)
      }
    },
  )
})

describe('auction statistics', () => {
  test('GetAuctionStatistics_AfterServe_ShouldReflectPersistedAuctions', async () => {
    const { keep, get } = await world()

    await keep({}, { decision: NO_AD }, {}, { decision: aDecision({ bidCount: 4 }) })

    expect(await get('/statistics')).toEqual({
      totalAuctions: 4,
      bookedDecisions: 0,
      averageWinRate: 75,
      averageEcpm: 0.01,
      averageEcpmMicros: '10000',
      totalBidsPlaced: 8,
      from: null,
      to: null,
      currencies: [
        {
          currency: 'EUR',
          totalAuctions: 4,
          bookedDecisions: 0,
          averageWinRate: 75,
          averageEcpm: 0.01,
          averageEcpmMicros: '10000',
          totalBidsPlaced: 8,
        },
      ],
    })
  })

  test('direct bookings are not auctions: statistics count them separately, and the list shows them', async () => {
    const { keep, get } = await world()
    const booked = aDecision({
      bidCount: 0,
      winners: [aWinner({ source: 'booking' })],
    })

    await keep({}, { decision: booked }, { decision: booked }, { decision: NO_AD })

    expect(await get('/statistics')).toMatchObject({
      totalAuctions: 2,
      bookedDecisions: 2,
      averageWinRate: 50,
    })
    const { items } = await get('')
    expect(items.map((item: { wonBy: unknown }) => String(item.wonBy)).toSorted()).toEqual([
      'bid',
      'booking',
      'booking',
      'null',
    ])
  })

  test('statistics of nothing are zero', async () => {
    const { get } = await world()

    expect(await get('/statistics')).toMatchObject({
      totalAuctions: 0,
      averageWinRate: 0,
      averageEcpm: null,
      totalBidsPlaced: 0,
      currencies: [],
    })
  })

  test('statistics answer for the first and the last possible day, and refuse days beyond', async () => {
    const { get } = await world()

    for (const day of ['1000-01-01', '2999-12-31']) {
      const range = `startDate=${day}&endDate=${day}`
      expect(await get(`/statistics?${range}`)).toMatchObject({ totalAuctions: 0 })
    }
    for (const day of ['0001-01-01', '9999-12-31']) {
      expect(await get(`/statistics?endDate=${day}`)).toMatchObject({ status: 400 })
    }
  })

  test('statistics never mix currencies: two paid currencies have no common mean', async () => {
    const { keep, get } = await world()
    const decision = aDecision({ winners: [aWinner({ score: 30_000 })] })

    await keep(
      { currency: 'EUR' },
      { currency: 'USD', decision },
      { currency: 'CHF', decision: NO_AD },
    )

    const statistics = await get('/statistics')
    expect(statistics).toMatchObject({ totalAuctions: 3, averageEcpm: null, totalBidsPlaced: 4 })
    expect(
      statistics.currencies.map((sum: Record<string, unknown>) => [
        sum['currency'],
        sum['averageEcpm'],
      ]),
    ).toEqual([
      ['CHF', null],
      ['EUR', 0.01],
      ['USD', 0.03],
    ])
  })

  test('statistics cover the quarter-hours that a range touches, and say so', async () => {
    const { keep, get } = await world()
    await keep(at('15T11:59:59'), at('15T12:00:00'), at('15T12:14:59'), at('15T12:15:00'))

    expect(
      await get('/statistics?startDate=2026-06-15T12:07:00Z&endDate=2026-06-15T12:08:00Z'),
    ).toMatchObject({
      totalAuctions: 2,
      from: '2026-06-15T12:00:00.000Z',
      to: '2026-06-15T12:15:00.000Z',
    })
  })
})
