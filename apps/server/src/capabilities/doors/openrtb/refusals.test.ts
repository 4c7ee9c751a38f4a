import { eq } from 'drizzle-orm'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { SWITCHES } from '../../../compose/switches.ts'
import { turnSwitch } from '../../../platform/switches/store.ts'
import { campaigns } from '../../campaigns/tables.ts'
import { aMarket, anImp, aRequest, bidsOf, openDoor, PAGE } from './testing-market.ts'

const SWITCHING = { definitions: SWITCHES, audit: async () => {} }
const off = { name: 'doors.openrtb', isOn: false, note: 'a test', by: undefined }
const SERVER = { 'user-agent': 'Go-http-client/1.1' }

describe('a request that gets no bid', () => {
  test('is empty for a server, and says why to Prebid and to whoever asks', async () => {
    const { bid } = await openDoor(await aMarket())
    const none = { imp: [anImp({ bidfloor: 90, bidfloorcur: 'EUR' })] }

    expect(await bid(aRequest(none), SERVER)).toMatchObject({ status: 204, body: undefined })
    const asked = await bid(aRequest({ ...none, ext: { placard: { explain: 1 } } }), SERVER)
    const prebid = await bid(aRequest({ ...none, ext: { prebid: {} } }), SERVER)
    expect(asked).toMatchObject({
      status: 200,
      body: { nbr: 504, ext: { seatnonbid: [{ nonbid: [{ impid: 'div-1', statuscode: 301 }] }] } },
    })
    expect(prebid).toMatchObject({ status: 200, body: { id: 'r-1', seatbid: [], nbr: 0 } })
  })

  test('names every fault of a malformed request at once', async () => {
    const { bid, budgets } = await openDoor(await aMarket())
    const imp = [anImp(), { id: 'div-2' }, anImp()]

    const { status, body } = await bid(aRequest({ imp, site: {}, app: {} }))
    const untyped = await bid({ imp: [{ banner: { w: '300' }, bidfloor: -1 }], tmax: 'soon' })

    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'INVALID_REQUEST',
      faults: [
        { path: 'body', message: 'must have only one of site, app' },
        { path: 'body/imp/1', message: 'must have banner, video or native' },
        { path: 'body/imp/2/id', message: 'is the id of another impression' },
      ],
    })
    const paths = untyped.body.faults.map(({ path }: { path: string }) => path)
    expect(new Set(paths)).toEqual(
      new Set([
        'body/id',
        'body/imp/0/id',
        'body/imp/0/banner/w',
        'body/imp/0/bidfloor',
        'body/tmax',
      ]),
    )
    expect([...budgets.heldMicros.values()]).toEqual([])
  })

  test('a body that is no bid request is the caller’s fault, whatever it is', async () => {
    const { http } = await openDoor(await aMarket())
    const prototype = '{"id":"r","__proto__":{},"imp":[{"id":"1","banner":{}}]}'
    const texts = ['{', '', '[]', '"bid"', 'null', '{"id":"r","imp":[]}', prototype]

    for (const payload of [...texts, Buffer.from([0x1f, 0x8b, 1, 2, 3])]) {
      const answer = await http.inject({ method: 'POST', url: '/openrtb2/auction?gzip=1', payload })

      expect(answer.statusCode).toBe(400)
      expect(answer.headers['content-type']).toContain('application/problem+json')
    }
  })

  test('strange values where no schema looks never break it', async () => {
    const { bid } = await openDoor(await aMarket())
    const strange = [null, 0, '', [], [null], { prebid: null }, { prebid: { bidder: [1] } }, 'x']

    for (const ext of strange) {
      const { status } = await bid(
        aRequest({
          ext,
          imp: [anImp({ ext })],
          user: { ext },
          regs: { ext },
          source: { schain: ext },
        }),
      )
      expect([200, 204]).toContain(status)
    }
  })

  test('too little time, a crawler, another currency and a closed door have their own numbers', async () => {
    const market = await aMarket()
    const { world } = market
    const { bid, untilApplied } = await openDoor(market)
    const crawler = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

    const late = await bid(aRequest({ tmax: 4 }))
    const robot = await bid(aRequest(), { ...PAGE, 'user-agent': crawler })
    const dollars = await bid(aRequest({ cur: ['USD'] }))
    const media = await bid(
      aRequest({ imp: [anImp({ banner: undefined, video: { protocols: [99] } })] }),
    )

    expect([late, robot, dollars, media].map(({ body }) => body.nbr)).toEqual([15, 3, 503, 501])
    expect(bidsOf((await bid(aRequest({ tmax: 5, cur: ['usd', 'eur'] }))).body)).toHaveLength(1)
    await turnSwitch(world.db, SWITCHING, { ...off, at: world.deps.clock.now() })
    await untilApplied()
    expect((await bid(aRequest())).body).toMatchObject({ nbr: 512, seatbid: [] })
    expect(await bid(aRequest(), SERVER)).toMatchObject({ status: 204 })
  })

  test('reasons come from the candidate that came furthest, and cost a bounded time', async () => {
    const market = await aMarket()
    const { db } = market.world
    await db
      .update(campaigns)
      .set({ status: 'paused' })
      .where(eq(campaigns.id, market.best.campaign.id))
    const { bid } = await openDoor(market)
    const ext = { prebid: { returnallbidstatus: true } }
    const statusOf = async (more: object, request: object = {}) => {
      const { body } = await bid(aRequest({ imp: [anImp(more)], ext, ...request }))
      return body.ext.seatnonbid[0].nonbid[0].statuscode
    }

    expect(await statusOf({ banner: { w: 728, h: 90 } })).toBe(351)
    expect(await statusOf({ banner: { btype: [2] } })).toBe(353)
    expect(await statusOf({}, { badv: ['northwind.example'] })).toBe(356)
    expect(await statusOf({ bidfloor: 3, bidfloorcur: 'EUR' })).toBe(301)
  })
})

describe('the body of a bid request', () => {
  test('may be gzip, by header or as Prebid says it, and one request has at most 50 impressions', async () => {
    const { http, metrics } = await openDoor(await aMarket())
    const imp = Array.from({ length: 53 }, (_, at) => anImp({ id: `div-${at}` }))
    const payload = gzipSync(JSON.stringify(aRequest({ imp })))
    const send = (url: string, headers = {}) =>
      http.inject({ method: 'POST', url, payload, headers: { ...PAGE, ...headers } })

    const byQuery = await send('/openrtb2/auction?gzip=1', { 'content-type': 'text/plain' })
    const byHeader = await send('/openrtb2/auction', { 'content-encoding': 'gzip' })

    for (const answer of [byQuery, byHeader]) expect(bidsOf(answer.json())).toHaveLength(50)
    expect(await metrics.getSingleMetricAsString('placard_door_empty_total')).toContain(
      'door="openrtb",reason="too-many-impressions"} 6',
    )
  })
})

describe('a test request', () => {
  test('bids without holding, recording or counting anything', async () => {
    const { bid, budgets, recorder } = await openDoor(await aMarket())

    const { body } = await bid(aRequest({ test: 1 }))

    const [given] = body.seatbid[0].bid
    expect(given.price).toBe(2.01)
    expect(given.adm).toContain('href="https://www.northwind.example/shoes"')
    expect(given.adm).not.toContain('/t/')
    expect(given).not.toHaveProperty('burl')
    expect([...budgets.heldMicros.values()]).toEqual([])
    expect(recorder.records).toEqual([])
  })
})

test('what Prebid calls beside the auction answers as it expects, with credentials', async () => {
  const { http } = await openDoor(await aMarket())
  const call = (method: 'GET' | 'POST', url: string) =>
    http.inject({ method, url, headers: { ...PAGE, 'content-type': 'text/plain' } })

  const sync = await call('POST', '/cookie_sync')
  const [setuid, getuids, status, params] = await Promise.all(
    ['/setuid?bidder=x', '/getuids', '/status', '/bidders/params'].map((url) => call('GET', url)),
  )

  expect(sync.json()).toEqual({ status: 'ok', bidder_status: [] })
  expect(getuids?.json()).toEqual({ buyeruids: {} })
  expect(setuid?.headers['content-type']).toBe('image/gif')
  expect(status?.statusCode).toBe(204)
  expect(params?.json()).toMatchObject({ placard: { required: ['placement'] } })
  for (const answer of [sync, setuid, getuids, params]) {
    expect(answer?.headers['access-control-allow-credentials']).toBe('true')
    expect(answer?.headers['set-cookie']).toBeUndefined()
  }
})
