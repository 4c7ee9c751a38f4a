import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { connect, type Server, type Socket } from 'node:net'
import { type Duplex, duplexPair } from 'node:stream'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { Type } from 'typebox'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fixedClock, seededRandom } from '../../../testing/fixed.ts'
import { idsFrom } from '../../ids.ts'
import { Problem } from '../../problem.ts'
import { measureRequests } from '../../telemetry/metrics.ts'
import { addLeanRoute } from './fast-lane.ts'
import type { Principal } from '../principal.ts'
import { createHttp, type Http } from '../server.ts'
import { until } from '../../../testing/until.ts'

const PUBLIC = {
  access: 'public',
  crossOrigin: true,
  ignoresUnknownFields: true,
  shedsLoad: true,
} as const
const refused = { code: 'KEY_REFUSED', status: 401, title: 'No such key' }
const missing = { code: 'THING_NOT_FOUND', status: 404, title: 'No such thing' }

/** Whoever sends the key `poor` may do nothing, `rich` may write; all other keys are no good. */
async function identify({
  headers,
}: {
  headers: IncomingHttpHeaders
}): Promise<Principal | undefined> {
  const id = headers['x-api-key'] as string | undefined
  if (id === undefined) return undefined
  if (id !== 'poor' && id !== 'rich') throw new Problem(refused, id)
  const permissions = new Set(id === 'rich' ? ['things:write'] : [])
  return { kind: 'key', id, name: id, accountId: 1n, isPlatform: true, permissions }
}

/** Routes that take a body, a parameter, and bytes of a known caller, on a port of its own. */
async function aServer({ hasFastLane = true, trustedProxies = [] as string[] } = {}) {
  const metrics = new Registry()
  const http = await createHttp({
    log: pino({ level: 'silent' }),
    ids: idsFrom({ clock: fixedClock(), random: seededRandom() }),
    trustedProxies,
    permitsPerMinute: 1_000,
    identify,
    metrics,
    hasFastLane,
  })
  measureRequests(http, metrics)
  const waits: (() => void)[] = []
  const body = Type.Object({
    name: Type.String({ maxLength: 9 }),
    floor: Type.Optional(Type.Number()),
  })
  addLeanRoute(http, {
    method: 'POST',
    url: '/things',
    config: PUBLIC,
    schema: { hide: true, body },
    headers: { 'cache-control': 'no-store' },
    answer({ body, ip, protocol, host, headers }, send) {
      if (body.name === 'nobody') throw new Problem(missing, body.name)
      if (body.name === 'bug') throw new Error('a secret')
      if (body.name === 'none') return send(204)
      if (body.name === 'later') {
        return new Promise<void>((resolve) => {
          waits.push(() => resolve(send(200, { later: true })))
        })
      }
      return send(200, { ...body, ip, at: `${protocol}://${host}`, agent: headers['user-agent'] })
    },
  })
  addLeanRoute(http, {
    method: 'GET',
    url: '/points/:name',
    config: PUBLIC,
    schema: { hide: true },
    headers: { 'cache-control': 'no-store' },
    contentType: 'image/gif',
    answer: ({ params }, send) => send(200, `GIF\u00ff${params['name']}`),
  })
  await http.register(async (scope) => bytesRoute(scope as typeof http))
  const slow: string[] = []
  http.addHook('onRequest', async ({ url }) => void slow.push(url))
  await http.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => http.close())
  const { port } = http.server.address() as { port: number }
  return { http, port, metrics, waits, slow }
}

function bytesRoute(http: Http): void {
  http.removeAllContentTypeParsers()
  http.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: 8 },
    (_request, body, done) => done(null, body),
  )
  addLeanRoute(http, {
    method: 'POST',
    url: '/bytes',
    config: {
      access: 'things:write',
      remembersCaller: true,
      isForMachines: true,
      rateLimit: false,
    },
    bytesMax: 8,
    schema: { hide: true },
    headers: {},
    answer: ({ body, principal }, send) =>
      send(200, { by: principal?.id, bytes: [...(body as unknown as Uint8Array)] }),
  })
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** A connection whose chunks come when the test says: several may come before anything else happens. */
function connectIn(http: Http): { near: Duplex; socket: Duplex } {
  const [near, socket] = duplexPair()
  onTestFinished(() => void socket.destroy())
  http.server.emit('connection', near)
  return { near, socket }
}

/** Reads as many answers as were asked for; each as its head and its bytes in latin1. */
async function answers(socket: Duplex, count: number): Promise<{ head: string; body: string }[]> {
  const found: { head: string; body: string }[] = []
  let text = ''
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += (chunk as Buffer).toString('latin1')
    for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
      const head = text.slice(0, end)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (text.length < end + 4 + length) break
      found.push({ head, body: text.slice(end + 4, end + 4 + length) })
      text = text.slice(end + 4 + length)
    }
    if (found.length >= count) return found
  }
  return found
}

const connectionsOf = ({ server }: Http): Promise<number> =>
  promisify(server.getConnections.bind(server) as Server['getConnections'])()

const post = (body: string, ...headers: string[]) =>
  [
    'POST /things HTTP/1.1',
    'Host: ads.example',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
    '',
    body,
  ].join('\r\n')

const bytes = (body: string, ...headers: string[]) =>
  post(body, ...headers)
    .replace('/things', '/bytes')
    .replace('application/json', 'application/octet-stream')

async function ask(port: number, message: string | Buffer) {
  const socket = await open(port)
  socket.write(message)
  const [answer] = await answers(socket, 1)
  return answer!
}

const OWN_TO_EACH = /^(date|x-request-id|connection|keep-alive|content-length):/i

/** What a caller can see, without what differs from one answer to the next. */
function seen({ head, body }: { head: string; body: string }) {
  const [status, ...headers] = head.split('\r\n')
  const kept = headers.filter((header) => !OWN_TO_EACH.test(header)).map((h) => h.toLowerCase())
  return { status, headers: kept.toSorted(), body: body.replace(/"instance":"[^"]+"/, '') }
}

describe('both ways give the same answer', () => {
  test.each([
    ['to a plain question', post('{"name":"ü","new":1}')],
    ['to a page of another origin', post('{"name":"a"}', 'Origin: https://news.example')],
    ['without a body', post('{"name":"none"}')],
    ['to a body that is not valid', post('{"floor":"x"}')],
    ['to a body that is no JSON', post('{')],
    ['to an empty body', post('')],
    ['to a body that would change all objects', post('{"name":"a","__proto__":{"b":1}}')],
    ['that is a problem', post('{"name":"nobody"}')],
    ['that is a bug of ours', post('{"name":"bug"}')],
    ['with the address that a proxy tells', post('{"name":"a"}', 'X-Forwarded-For: 8.8.8.8')],
    ['with the host that a proxy tells', post('{"name":"a"}', 'X-Forwarded-Host: b, c.example')],
    ['to a caller who may', bytes('\u0001ab', 'X-Api-Key: rich', 'Origin: https://a.example')],
    ['to a caller who may not', bytes('ab', 'X-Api-Key: poor')],
    ['to a caller nobody knows', bytes('ab', 'X-Api-Key: forged')],
    ['to nobody', bytes('ab')],
    ['to more bytes than are taken', bytes('123456789', 'X-Api-Key: rich')],
    ['to something else than bytes', post('{}', 'X-Api-Key: rich').replace('/things', '/bytes')],
    ['in bytes', 'GET /points/one HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('%s', async (_, message) => {
    for (const trustedProxies of [[], ['127.0.0.1']]) {
      const fast = await aServer({ trustedProxies })
      const slow = await aServer({ trustedProxies, hasFastLane: false })

      expect(seen(await ask(fast.port, message))).toEqual(seen(await ask(slow.port, message)))
    }
  })
})

describe('a connection', () => {
  test('stays on the lane, and its requests are counted as all others', async () => {
    const { port, metrics } = await aServer()
    const socket = await open(port)

    for (const name of ['a', 'b', 'none']) {
      socket.write(post(`{"name":"${name}"}`))
      await answers(socket, 1)
    }

    const text = await metrics.metrics()
    expect(text).toMatch(/request_duration_seconds_count\{.*\/things.*code="200"\} 2/)
    expect(text).toMatch(/request_duration_seconds_count\{.*\/things.*code="204"\} 1/)
  })

  test('of a caller who is allowed stays on the lane; who is not goes the framework’s way', async () => {
    const { port, slow } = await aServer()
    const socket = await open(port)

    socket.write(bytes('a', 'X-Api-Key: rich'))
    const [first] = await answers(socket, 1)
    socket.write(bytes('b', 'X-Api-Key: rich'))
    const [second] = await answers(socket, 1)
    expect([first!.body, second!.body]).toEqual([
      '{"by":"rich","bytes":[97]}',
      '{"by":"rich","bytes":[98]}',
    ])
    expect(slow).toEqual([])

    socket.write(bytes('c', 'X-Api-Key: poor'))
    expect((await answers(socket, 1))[0]!.head).toContain('403')
    expect(slow).toEqual(['/bytes'])
  })

  test('brings on what came while its caller was looked up', async () => {
    const { http } = await aServer()
    const { near, socket } = connectIn(http)

    for (const text of ['first', 'second'])
      near.emit(
        'data',
        Buffer.from(bytes(text, `X-Api-Key: ${text === 'first' ? 'rich' : 'poor'}`)),
      )
    const [first, second] = await answers(socket, 2)

    expect(first!.body).toContain('rich')
    expect(second!.head).toContain('403')
  })

  test('goes on the framework’s way once something unusual comes, and loses nothing', async () => {
    const { port } = await aServer()
    const socket = await open(port)

    socket.write(post('{"name":"a"}'))
    const first = await answers(socket, 1)
    socket.write(
      post('{"name":"b"}') + post('{"name":"c"}') + 'GET /unknown HTTP/1.1\r\nHost: a\r\n\r\n',
    )
    const rest = await answers(socket, 3)

    const statuses = [...first, ...rest].map(({ head }) => head.slice(9, 12))
    expect(statuses).toEqual(['200', '200', '200', '404'])
    expect(rest.map(({ body }) => body)).toEqual([
      expect.stringContaining('"name":"b"'),
      expect.stringContaining('"name":"c"'),
      expect.stringContaining('ROUTE_NOT_FOUND'),
    ])
  })

  test('may bring a request in pieces', async () => {
    const { port } = await aServer()
    const socket = await open(port)
    const message = post('{"name":"slow"}')

    socket.setNoDelay(true)
    for (const byte of message) {
      socket.write(byte)
      await new Promise((resolve) => setImmediate(resolve))
    }

    expect((await answers(socket, 1))[0]!.body).toContain('"name":"slow"')
  })

  test('is answered in order, also where an answer takes time', async () => {
    const { port, waits } = await aServer()
    const socket = await open(port)
    socket.write(post('{"name":"later"}'))
    await until('the request is being answered', () => waits.length > 0)

    socket.write(post('{"name":"next"}'))
    const both = answers(socket, 2)
    await new Promise((resolve) => setImmediate(resolve))
    waits[0]!()

    expect((await both).map(({ body }) => JSON.parse(body))).toMatchObject([
      { later: true },
      { name: 'next' },
    ])
  })

  test('that brings two requests before the first is answered is answered twice, in order', async () => {
    const { http } = await aServer()
    const { near, socket } = connectIn(http)

    for (const name of ['first', 'second'])
      near.emit('data', Buffer.from(post(`{"name":"${name}"}`)))

    expect((await answers(socket, 2)).map(({ body }) => JSON.parse(body))).toMatchObject([
      { name: 'first' },
      { name: 'second' },
    ])
  })

  test('is answered for itself, however many ask in the same moment', async () => {
    const { port, slow } = await aServer()
    const sockets = await Promise.all(Array.from({ length: 50 }, () => open(port)))

    for (const [at, socket] of sockets.entries()) socket.write(post(`{"name":"${at}"}`))
    const all = await Promise.all(sockets.map((socket) => answers(socket, 1)))

    const names = all.map(([answer]) => (JSON.parse(answer!.body) as { name: string }).name)
    expect(names).toEqual(sockets.map((_, at) => String(at)))
    expect(slow).toEqual([])
  })

  test('that says nothing for a whole round is let go, and one that asks stays', async () => {
    const { port, http } = await aServer()
    const [silent, busy] = [await open(port), await open(port)]
    for (const socket of [silent, busy]) {
      socket.write(post('{"name":"a"}'))
      await answers(socket, 1)
    }

    http.fastLane!.endIdle()
    busy.write(post('{"name":"b"}'))
    await answers(busy, 1)
    http.fastLane!.endIdle()

    await once(silent.resume(), 'close')
    busy.write(post('{"name":"c"}'))
    expect((await answers(busy, 1))[0]!.head).toContain('200 OK')
  })

  test('is counted until it is closed, by whichever way it went', async () => {
    const { port, http } = await aServer()
    const [plain, odd] = [await open(port), await open(port)]
    for (const socket of [plain, odd]) socket.write(post('{"name":"a"}'))
    odd.write('GET /unknown HTTP/1.1\r\nHost: a\r\n\r\n')
    await Promise.all([answers(plain, 1), answers(odd, 2)])

    expect(await connectionsOf(http)).toBe(2)
    for (const socket of [plain, odd]) socket.destroy()
    await until('no connection is counted', async () => (await connectionsOf(http)) === 0)
  })

  test('that is idle is ended when the server closes', async () => {
    const { port, http } = await aServer()
    const socket = await open(port)
    socket.write(post('{"name":"a"}'))
    await answers(socket, 1)

    const [, closed] = await Promise.all([http.close(), once(socket.resume(), 'close')])

    expect(closed).toEqual([false])
  })
})
