import { describe, expect, onTestFinished, test } from 'vitest'
import { pino } from 'pino'
import { fixedClock, seededRandom } from '../../testing/fixed.ts'
import { idsFrom } from '../ids.ts'
import { Problem } from '../problem.ts'
import type { Principal } from './principal.ts'
import { httpProblems } from './problems.ts'
import { createHttp, type HttpOptions } from './server.ts'

const caller = (id: string): Principal => ({
  kind: 'key',
  id,
  name: id,
  accountId: 1n,
  isPlatform: false,
  permissions: new Set(['things:read']),
})

/** One route of each kind of access; whoever sends `x-caller` is that caller. */
async function aServer(options: Partial<HttpOptions> = {}) {
  const http = await createHttp({
    log: pino({ level: 'silent' }),
    ids: idsFrom({ clock: fixedClock(), random: seededRandom() }),
    trustedProxies: [],
    permitsPerMinute: 1_000,
    identify: async ({ headers }) => {
      const id = headers['x-caller']
      if (id === 'forged') throw new Problem(httpProblems.unauthenticated, 'It is forged.')
      return typeof id === 'string' ? caller(id) : undefined
    },
    ...options,
  })
  const hidden = { schema: { hide: true } }
  http.get('/things', { ...hidden, config: { access: 'things:read' } }, () => ({ ok: true }))
  http.get('/open', { ...hidden, config: { access: 'public' } }, () => ({ ok: true }))
  http.get('/shared', { ...hidden, config: { access: 'public', crossOrigin: true } }, () => ({
    ok: true,
  }))
  http.post('/things', { ...hidden, config: { access: 'things:read' } }, () => ({ ok: true }))
  onTestFinished(() => http.close())
  return http
}

describe('the rate limit', () => {
  test('counts each caller apart and says when to come back', async () => {
    const http = await aServer({ permitsPerMinute: 2 })
    const ask = (id: string) => http.inject({ url: '/things', headers: { 'x-caller': id } })

    const codes = [await ask('a'), await ask('a'), await ask('a'), await ask('b')]

    expect(codes.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429, 200])
    const refused = codes[2]!
    expect(refused.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS', status: 429 })
    expect(refused.headers['content-type']).toContain('application/problem+json')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('counts who is refused by their address', async () => {
    const http = await aServer({ permitsPerMinute: 2 })
    const ask = (headers: Record<string, string>) => http.inject({ url: '/things', headers })

    const codes = [await ask({}), await ask({ 'x-caller': 'forged' }), await ask({})]

    expect(codes.map(({ statusCode }) => statusCode)).toEqual([401, 401, 429])
  })

  test('does not count public routes', async () => {
    const http = await aServer({ permitsPerMinute: 1 })

    const codes = [1, 2, 3].map(async () => (await http.inject({ url: '/open' })).statusCode)

    expect(await Promise.all(codes)).toEqual([200, 200, 200])
  })

  test('believes an address from a proxy only where the proxy is trusted', async () => {
    const trusting = await aServer({ permitsPerMinute: 1, trustedProxies: ['127.0.0.1'] })
    const wary = await aServer({ permitsPerMinute: 1 })
    const from = (http: typeof wary, address: string) =>
      http.inject({ url: '/things', headers: { 'x-forwarded-for': address } })

    const codes = []
    for (const http of [trusting, wary]) {
      for (const address of ['192.0.2.1', '192.0.2.2']) {
        codes.push((await from(http, address)).statusCode)
      }
    }
    expect(codes).toEqual([401, 401, 401, 429])
  })
})

describe('a route', () => {
  test('that does not say who may call it cannot be registered', async () => {
    const http = await aServer()

    expect(() => http.get('/forgotten', () => ({}))).toThrow('does not say who may call it')
  })

  test('that does not exist is a problem like any other', async () => {
    const http = await aServer()

    for (const request of [
      { url: '/nowhere' },
      { url: '/nowhere', headers: { 'x-caller': 'forged' } },
      { method: 'DELETE' as const, url: '/things' },
      { url: `/nowhere/${'a'.repeat(5_000)}` },
    ]) {
      const answer = await http.inject(request)
      expect(answer.headers['content-type']).toContain('application/problem+json')
      expect(answer.json()).toMatchObject({ status: 404, code: 'ROUTE_NOT_FOUND' })
      expect(answer.body.length).toBeLessThan(1_000)
    }
  })

  test('reads a body up to a megabyte', async () => {
    const http = await aServer()
    const send = (bytes: number) =>
      http.inject({
        method: 'POST',
        url: '/things',
        payload: `"${'x'.repeat(bytes - 2)}"`,
        headers: { 'x-caller': 'a', 'content-type': 'application/json' },
      })

    expect((await send(1_048_576)).statusCode).toBe(200)
    expect((await send(1_048_577)).json()).toMatchObject({ status: 413, code: 'REQUEST_REFUSED' })
  })
})

test('every answer carries the headers that keep a browser safe', async () => {
  const http = await aServer()

  for (const url of ['/open', '/things', '/nowhere']) {
    expect((await http.inject({ url })).headers).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'self'"),
      'strict-transport-security': expect.stringContaining('max-age'),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
    })
  }
})

describe('a page of another origin', () => {
  const origin = 'https://publisher.example'
  const preflight = { origin, 'access-control-request-method': 'GET' }

  test('may call a route that is meant for it, and may ask first', async () => {
    const http = await aServer()

    const answer = await http.inject({ url: '/shared', headers: { origin } })
    const asked = await http.inject({ method: 'OPTIONS', url: '/shared', headers: preflight })

    expect(answer.headers['access-control-allow-origin']).toBe(origin)
    expect(asked.statusCode).toBe(204)
    expect(asked.headers['access-control-allow-origin']).toBe(origin)
  })

  test.each(['/open', '/things', '/nowhere'])('is not let in at %s', async (url) => {
    const http = await aServer()

    const answer = await http.inject({ url, headers: { origin, 'x-caller': 'a' } })
    const asked = await http.inject({ method: 'OPTIONS', url, headers: preflight })

    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
    expect(asked.headers).not.toHaveProperty('access-control-allow-origin')
    expect(asked.json()).toMatchObject({ code: 'ROUTE_NOT_FOUND' })
  })

  test('is never trusted with credentials', async () => {
    const http = await aServer()

    const answer = await http.inject({ url: '/shared', headers: { origin } })

    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
  })
})

describe('the id of a request', () => {
  test('is the one that the caller gives, or a new one', async () => {
    const http = await aServer()
    const idFor = async (headers: Record<string, string>) =>
      (await http.inject({ url: '/open', headers })).headers['x-request-id']

    expect(await idFor({ 'x-request-id': 'order-17.retry_2' })).toBe('order-17.retry_2')
    expect(await idFor({})).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.each(['a b', 'x'.repeat(65), '"}{"level":60', '<script>', 'é'])(
    'is a new one when the given one could fool somebody: %j',
    async (given) => {
      const http = await aServer()

      const answer = await http.inject({ url: '/things', headers: { 'x-request-id': given } })

      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
      expect(answer.json()).toMatchObject({ instance: answer.headers['x-request-id'] })
    },
  )
})
