import { DAY_MS } from '@placard/calendar'
import { CONTEXT_TOKEN_LENGTH_MAX } from '@placard/contract/readers'
import { SEGMENT_LENGTH_MAX, SEGMENTS_MAX } from '@placard/contract/segments'
import { expect, test } from 'vitest'
import { followChanges } from '../../../platform/changes/changes.ts'
import { cursorNow } from '../../../platform/database/ordered-feed.ts'
import { systemTimers } from '../../../platform/background/timers.ts'
import { freshDatabase } from '../../../testing/services/database.ts'
import { allowed, serverWith } from '../../../testing/http.ts'
import { actorOf, addAccount, depsOn } from '../../../testing/world.ts'
import { createReaders } from './reader-of-request.ts'
import { readerRoutes } from './routes.ts'
import { createSegmentMemory } from './segments.ts'
import { loadSegments, segmentsSubscriber } from './segments-feed.ts'
import { forgetSegments, saveSegments } from './store-segments.ts'

const secret = 'a secret of the tests, long enough'
const base = '/api/v1/admin'

async function world() {
  const connection = await freshDatabase()
  const deps = depsOn(connection)
  const segments = createSegmentMemory()
  const geo = { countryOf: () => undefined }
  const readers = createReaders({ secret, clock: deps.clock, geo, segments })
  const server = await serverWith(deps, (http) => readerRoutes(http, { ...deps, readers }))
  const shop = actorOf(await addAccount(deps, 'platform'))
  const put = (userKey: string, list: string[]) =>
    server.http.inject({
      method: 'PUT',
      url: `${base}/users/${encodeURIComponent(userKey)}/segments`,
      payload: { segments: list },
    })
  server.actAs(allowed(shop, 'serving:write'))
  return { ...connection, deps, segments, readers, server, shop, put }
}

test('segments that a server stores reach every node that follows the feed, and survive a restart', async () => {
  const { db, url, put, segments, readers } = await world()
  const subscriber = segmentsSubscriber(db, segments)
  let changed = Promise.withResolvers<void>()
  const follower = followChanges({
    db,
    url,
    from: await cursorNow(db),
    timers: systemTimers,
    onError: (error) => changed.reject(error),
    subscriber: {
      ...subscriber,
      async onChanges(changes) {
        await subscriber.onChanges(changes)
        changed.resolve()
      },
    },
  })
  const key = readers.userKeyOf('shop user/1')

  await put('shop user/1', ['vip', 'shoes'])
  await changed.promise
  expect(segments.segmentsOf(key)).toEqual(['vip', 'shoes'])

  const restarted = createSegmentMemory()
  await loadSegments(db, restarted)
  expect(restarted.segmentsOf(key)).toEqual(['vip', 'shoes'])

  changed = Promise.withResolvers()
  await put('shop user/1', [])
  await changed.promise
  expect(segments.segmentsOf(key)).toBeUndefined()
  await follower.stop()
})

test('no table contains the id of the user', async () => {
  const { put, pool } = await world()

  await put('anna@shop.example', ['vip'])

  const { rows } = await pool.query('select * from user_segments')
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain('anna')
})

test('a reconciliation repairs segments that the feed has missed', async () => {
  const { db, put, segments, readers } = await world()
  await put('user-1', ['vip'])

  await segmentsSubscriber(db, segments).onReconcile!()

  expect(segments.segmentsOf(readers.userKeyOf('user-1'))).toEqual(['vip'])
})

test('segments of users not mentioned for long are emptied first and deleted later', async () => {
  const { db, deps, pool } = await world()
  const day = (n: number) => new Date(deps.clock.now().getTime() + n * DAY_MS)
  await saveSegments(db, { userKey: 'old', segments: ['x'], at: day(-100) })
  await saveSegments(db, { userKey: 'new', segments: ['x'], at: day(-1) })
  const stored = async () =>
    (await pool.query('select user_key, segments from user_segments order by 1')).rows
  const forget = (at: Date) =>
    forgetSegments(db, {
      at,
      unheardSince: day(-90),
      emptySince: new Date(at.getTime() - DAY_MS),
      limit: 10,
    })

  expect(await forget(day(0))).toBe(1)
  expect(await stored()).toEqual([
    { user_key: 'new', segments: ['x'] },
    { user_key: 'old', segments: [] },
  ])
  await forget(day(2))
  expect(await stored()).toEqual([{ user_key: 'new', segments: ['x'] }])
})

test('only a server that may speak for readers gets a token or stores segments', async () => {
  const { server, shop, put } = await world()
  const ask = () =>
    server.http.inject({ method: 'POST', url: `${base}/context-tokens`, payload: {} })

  expect([(await ask()).statusCode, (await put('u', [])).statusCode]).toEqual([201, 200])
  server.actAs(allowed(shop, 'decisions:read'))
  expect([(await ask()).statusCode, (await put('u', [])).statusCode]).toEqual([403, 403])
  server.actAs(undefined)
  expect([(await ask()).statusCode, (await put('u', [])).statusCode]).toEqual([401, 401])
})

test('an issued token carries what the request body said', async () => {
  const { server, readers } = await world()
  const payload = { userId: 'user-1', loggedIn: true, country: 'AT', lifeSeconds: 60 }
  const answer = await server.http.inject({
    method: 'POST',
    url: `${base}/context-tokens`,
    payload,
  })
  const { token, expiresAt } = answer.json<{ token: string; expiresAt: string }>()

  const reader = readers.readerOf(
    { headers: {}, ip: '' },
    { contextToken: token, isTrusted: false },
  )

  expect(expiresAt).toBe('2026-06-15T12:01:00.000Z')
  expect(reader).toMatchObject({
    userKey: readers.userKeyOf('user-1'),
    context: { loggedIn: true, country: 'AT' },
  })
})

const names = (count: number, letter = 'x') =>
  Array.from({ length: count }, (_, i) => `${i}`.padEnd(SEGMENT_LENGTH_MAX, letter))

test('a token carries as many and as long segments as a reader may have', async () => {
  const { server, readers } = await world()
  const payload = { segments: names(SEGMENTS_MAX) }
  const answer = await server.http.inject({
    method: 'POST',
    url: `${base}/context-tokens`,
    payload,
  })
  const contextToken = answer.json<{ token: string }>().token

  const reader = readers.readerOf({ headers: {}, ip: '' }, { contextToken, isTrusted: false })

  expect(contextToken.length).toBeLessThanOrEqual(CONTEXT_TOKEN_LENGTH_MAX)
  expect(reader.context.segments).toEqual(payload.segments)
})

test('a statement too long for a token is refused where it is made', async () => {
  const { server } = await world()
  const payload = { segments: names(SEGMENTS_MAX, '漢') }

  const answer = await server.http.inject({
    method: 'POST',
    url: `${base}/context-tokens`,
    payload,
  })

  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ code: 'CONTEXT_TOO_LONG' })
})

test('segments are stored in one spelling, and what is no name is refused by its place', async () => {
  const { put } = await world()
  const longest = 'x'.repeat(SEGMENT_LENGTH_MAX)

  expect((await put('u', [' vip ', 'vip', longest])).json()).toEqual({
    segments: ['vip', longest],
  })
  const wrong = ['  ', 'a\u200db', `${longest}x`]
  expect((await put('u', wrong)).json()).toMatchObject({
    faults: wrong.map((_, at) => ({ path: `body/segments/${at}` })),
  })
})

test('a token with a life over 15 minutes or an unknown field is refused', async () => {
  const { server } = await world()
  const statusOf = async (payload: object) =>
    (await server.http.inject({ method: 'POST', url: `${base}/context-tokens`, payload }))
      .statusCode

  expect(await statusOf({ lifeSeconds: 901 })).toBe(400)
  expect(await statusOf({ height: 180 })).toBe(400)
})
