import { gzipSync } from 'node:zlib'
import pino from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { idsFrom } from '../../../platform/ids.ts'
import { createHttp } from '../../../platform/http/server.ts'
import { fixedClock, seededRandom } from '../../../testing/fixed.ts'
import { acceptDoorBodies } from './bodies.ts'

async function aDoor() {
  const http = await createHttp({
    log: pino({ level: 'silent' }),
    ids: idsFrom({ clock: fixedClock(), random: seededRandom() }),
    trustedProxies: [],
    permitsPerMinute: 1,
    identify: async () => undefined,
  })
  await http.register(async (scope) => {
    acceptDoorBodies(scope)
    scope.post(
      '/echo',
      { config: { access: 'public', crossOrigin: 'with-credentials' }, schema: { hide: true } },
      (request) => ({ read: request.body ?? null }),
    )
  })
  onTestFinished(() => http.close())
  const send = (payload: string | Buffer, headers: Record<string, string> = {}, query = '') =>
    http.inject({ method: 'POST', url: `/echo${query}`, payload, headers })
  return { http, send }
}

const json = '{"id":"ä"}'
const read = { read: { id: 'ä' } }

describe('the body of a door’s request', () => {
  test.each([
    ['application/json', { 'content-type': 'application/json' }],
    ['text/plain', { 'content-type': 'text/plain;charset=UTF-8' }],
    ['no type', {}],
    ['an empty type', { 'content-type': '' }],
    ['a broken type', { 'content-type': 'json' }],
    ['an unknown type', { 'content-type': 'application/x-openrtb' }],
  ])('a body is JSON with %s', async (_, headers) => {
    const { send } = await aDoor()

    expect((await send(json, headers)).json()).toEqual(read)
  })

  test('a gzip body is decompressed if its header says so', async () => {
    const { send } = await aDoor()

    const answer = await send(gzipSync(json), { 'content-encoding': 'gzip' })

    expect(answer.json()).toEqual(read)
  })

  test('gzip=1 decompresses a body without any header, as Prebid sends it', async () => {
    const { send } = await aDoor()

    expect((await send(gzipSync(json), {}, '?gzip=1')).json()).toEqual(read)
    expect((await send(json, {}, '?gzip=1')).json()).toEqual(read)
  })

  test('the decompressed size is limited: a small gzip bomb is refused', async () => {
    const { send } = await aDoor()
    const bomb = gzipSync(`"${'a'.repeat(2_000_000)}"`)

    const answer = await send(bomb, { 'content-encoding': 'gzip' })

    expect(bomb.length).toBeLessThan(10_000)
    expect(answer.json()).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' })
  })

  test.each([
    ['no gzip', json, { 'content-encoding': 'gzip' }, 400, 'BODY_NOT_GZIP'],
    [
      'a truncated gzip',
      gzipSync(json).subarray(0, 20),
      { 'content-encoding': 'gzip' },
      400,
      'BODY_NOT_GZIP',
    ],
    ['another encoding', json, { 'content-encoding': 'br' }, 415, 'ENCODING_UNKNOWN'],
  ])('a body that is %s is refused with the reason', async (...[, body, headers, status, code]) => {
    const { send } = await aDoor()

    expect((await send(body, headers)).json()).toMatchObject({ status, code })
  })

  test('a body that is no JSON is the client’s fault', async () => {
    const { send } = await aDoor()

    expect((await send('{"id":')).statusCode).toBe(400)
    expect((await send(json.replace('id', '__proto__'))).statusCode).toBe(400)
  })
})

test('a page of another origin may send credentials, and the answer says so', async () => {
  const { http, send } = await aDoor()
  const headers = { origin: 'https://gazette.example' }

  const answer = await send(json, headers)
  const preflight = await http.inject({
    method: 'OPTIONS',
    url: '/echo',
    headers: {
      ...headers,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-ua',
    },
  })

  for (const { headers } of [answer, preflight]) {
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://gazette.example',
      'access-control-allow-credentials': 'true',
      vary: expect.stringContaining('Origin'),
    })
  }
  expect(preflight.headers['access-control-allow-headers']).toBe('x-ua')
})
