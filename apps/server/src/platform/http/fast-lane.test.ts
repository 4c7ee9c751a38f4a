import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { Type } from 'typebox'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fixedClock, seededChance } from '../../testing/fixed.ts'
import { idsFrom } from '../ids.ts'
import { Problem } from '../problem.ts'
import { measureRequests } from '../telemetry/metrics.ts'
import { addLeanRoute } from './fast-lane.ts'
import { createHttp } from './server.ts'

const PUBLIC = {
  access: 'public',
  crossOrigin: true,
  ignoresUnknownFields: true,
  shedsLoad: true,
} as const
const missing = { code: 'THING_NOT_FOUND', status: 404, title: 'No such thing' }

/** One route that takes a body and one that takes a parameter, on a port of its own. */
async function aServer({ hasFastLane = true, trustedProxies = [] as string[] } = {}) {
  const metrics = new Registry()
  const http = await createHttp({
    log: pino({ level: 'silent' }),
    ids: idsFrom({ clock: fixedClock(), chance: seededChance() }),
    trustedProxies,
    permitsPerMinute: 1_000,
    identify: async () => undefined,
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
  await http.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => http.close())
  const { port } = http.server.address() as { port: number }
  return { http, port, metrics, waits }
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** Reads as many answers as were asked for; each as its head and its bytes in latin1. */
async function answers(socket: Socket, count: number): Promise<{ head: string; body: string }[]> {
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
    while (waits.length === 0) await new Promise((resolve) => setImmediate(resolve))

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
    const { port, http } = await aServer()
    const taken = once(http.server, 'connection')
    const socket = await open(port)
    const [near] = (await taken) as [Socket]

    for (const name of ['first', 'second'])
      near.emit('data', Buffer.from(post(`{"name":"${name}"}`)))

    expect((await answers(socket, 2)).map(({ body }) => JSON.parse(body))).toMatchObject([
      { name: 'first' },
      { name: 'second' },
    ])
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
