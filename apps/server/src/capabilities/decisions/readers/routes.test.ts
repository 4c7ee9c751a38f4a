import { createConsentReader } from '../../consent/index.ts'
import { DAY_MS } from '@placard/calendar'
import { CONTEXT_TOKEN_LENGTH_MAX } from '@placard/contract/readers'
import { SEGMENT_LENGTH_MAX, SEGMENTS_MAX } from '@placard/contract/segments'
import { expect, test } from 'vitest'
import { followChanges } from '../../../platform/changes/changes.ts'
import { cursorNow } from '../../../platform/database/ordered-feed.ts'
import { systemTimers } from '../../../platform/background/timers.ts'
import { allowed, serverWith } from '../../../testing/http.ts'
import { actorOf } from '../../../testing/world.ts'
import { aServingWorld } from '../../../testing/worlds/serving-world.ts'
import { createReaders } from './reader-of-request.ts'
import { readerRoutes } from './routes.ts'
import { knownReadersSubscriber, loadKnownReaders } from './known-readers-feed.ts'
import { loadPublishers } from './publishers-feed.ts'
import { Publishers } from './publishers.ts'
import { createReaderMemory } from './reader-memory.ts'
import { forgetOldFacts, saveSegments } from './store-known-readers.ts'

const secret = 'a secret of the tests, long enough'
const base = '/api/v1/admin'

async function world() {
  const connection = await aServingWorld()
  const { deps, db, seller } = connection
  const known = createReaderMemory()
  const publishers = new Publishers()
  await loadPublishers(db, publishers)
  const geo = { countryOf: () => undefined }
  const readers = createReaders({
    secret,
    clock: deps.clock,
    geo,
    known,
    readConsent: createConsentReader(),
  })
  const server = await serverWith(deps, (http) =>
    readerRoutes(http, { ...deps, readers, publishers }),
  )
  const shop = actorOf({ ...seller, kind: 'publisher' })
  const publisherKey = Number(seller.id)
  const keyOf = (userId: string) => readers.userKeyOf(userId, publisherKey)
  const segmentsOf = (userId: string, memory = known) =>
    memory.find(keyOf(userId), publisherKey)?.segments
  const put = (userKey: string, list: string[]) =>
    server.http.inject({
      method: 'PUT',
      url: `${base}/users/${encodeURIComponent(userKey)}/segments`,
      payload: { segments: list },
    })
  server.actAs(allowed(shop, 'serving:write'))
  const reader = (contextToken: string) =>
    readers.readerOf({ headers: {}, ip: '' }, { publisherKey, contextToken, isTrusted: false })
  return {
    ...connection,
    known,
    publisherKey,
    keyOf,
    segmentsOf,
    reader,
    server,
    shop,
    put,
  }
}

test('segments that a server stores reach every node that follows the feed, and survive a restart', async () => {
  const { db, url, put, known, segmentsOf } = await world()
  const subscriber = knownReadersSubscriber(db, known)
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
        if (changes.some(({ entity }) => entity === 'user_segments')) changed.resolve()
      },
    },
  })
  await put('shop user/1', ['vip', 'shoes'])
  await changed.promise
  expect(segmentsOf('shop user/1')).toEqual(['vip', 'shoes'])

  const restarted = createReaderMemory()
  await loadKnownReaders(db, restarted)
  expect(segmentsOf('shop user/1', restarted)).toEqual(['vip', 'shoes'])

  changed = Promise.withResolvers()
  await put('shop user/1', [])
  await changed.promise
  expect(segmentsOf('shop user/1')).toBeUndefined()
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
  const { db, put, known, segmentsOf } = await world()
  await put('user-1', ['vip'])

  await knownReadersSubscriber(db, known).onReconcile!()

  expect(segmentsOf('user-1')).toEqual(['vip'])
})

test('segments of users not mentioned for long are emptied first and deleted later', async () => {
  const { db, deps, pool, publisherKey } = await world()
  const day = (n: number) => new Date(deps.clock.now().getTime() + n * DAY_MS)
  await saveSegments(db, { userKey: 'old', publisherKey, segments: ['x'], at: day(-100) })
  await saveSegments(db, { userKey: 'new', publisherKey, segments: ['x'], at: day(-1) })
  const stored = async () =>
    (await pool.query('select user_key, segments from user_segments order by 1')).rows
  const forget = (at: Date) =>
    forgetOldFacts(db, {
      at,
      unheardSince: day(-90),
      boughtSince: day(-15),
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
  const { server, reader, keyOf } = await world()
  const payload = { userId: 'user-1', loggedIn: true, country: 'AT', lifeSeconds: 60 }
  const answer = await server.http.inject({
    method: 'POST',
    url: `${base}/context-tokens`,
    payload,
  })
  const { token, expiresAt } = answer.json<{ token: string; expiresAt: string }>()

  expect(expiresAt).toBe('2026-06-15T12:01:00.000Z')
  expect(reader(token)).toMatchObject({
    userKey: keyOf('user-1'),
    context: { loggedIn: true, country: 'AT' },
  })
})

const names = (count: number, letter = 'x') =>
  Array.from({ length: count }, (_, i) => `${i}`.padEnd(SEGMENT_LENGTH_MAX, letter))

test('a token carries as many and as long segments as a reader may have', async () => {
  const { server, reader } = await world()
  const payload = { segments: names(SEGMENTS_MAX) }
  const answer = await server.http.inject({
    method: 'POST',
    url: `${base}/context-tokens`,
    payload,
  })
  const contextToken = answer.json<{ token: string }>().token

  expect(contextToken.length).toBeLessThanOrEqual(CONTEXT_TOKEN_LENGTH_MAX)
  expect(reader(contextToken).context.segments).toEqual(payload.segments)
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
