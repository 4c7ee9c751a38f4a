import { parseSetCookie } from 'cookie'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, test } from 'vitest'
import {
  addUser,
  PASSWORD,
  SECRETS,
  signInAs,
  startServer,
  startServerOn,
  type TestServer,
} from '../../../testing/server.ts'
import { refreshTokens } from '../tables.ts'

const refreshCookieOf = ({ headers }: Pick<LightMyRequestResponse, 'headers'>) =>
  [headers['set-cookie']].flat().find((one) => one?.startsWith('placard_refresh')) ?? ''

/** A browser at that address that keeps its cookies. */
async function browser(server: TestServer, headers: Record<string, string> = {}) {
  const { email } = await addUser(server.deps, 'operator')
  let cookie = ''
  const post = async (path: string, payload?: object, sent = cookie) => {
    const response = await server.http.inject({
      method: 'POST',
      url: `/api/v1/auth/${path}`,
      headers: { host: '127.0.0.1:8080', ...headers, ...(sent && { cookie: sent }) },
      ...(payload && { payload }),
    })
    const set = refreshCookieOf(response)
    if (set) cookie = set.split(';')[0]!
    return response
  }
  const signedIn = await post('sign-in', { email, password: PASSWORD, refreshTokenIn: 'cookie' })
  return { email, post, signedIn, cookie: () => cookie }
}

const whoIs = async ({ http }: TestServer, accessToken: string) =>
  http.inject({ url: '/api/v1/me', headers: { authorization: `Bearer ${accessToken}` } })

describe('the refresh token of a browser', () => {
  test('a browser’s refresh token is in a cookie that no script reads and no other site sends, and in no body', async () => {
    const { signedIn } = await browser(await startServer())

    const cookie = parseSetCookie(refreshCookieOf(signedIn))
    expect(cookie).toMatchObject({
      path: '/api/v1/auth',
      httpOnly: true,
      secure: true,
      sameSite: 'strict',
      maxAge: 7 * 86_400,
    })
    expect(signedIn.json()).not.toHaveProperty('refreshToken')
    expect(signedIn.body).not.toContain(cookie.value)
  })

  test('a demo opened from another machine gets its cookie without TLS; production never does', async () => {
    const abroad = { host: 'placard.lan:8080' }
    const demo = await browser(await startServer(), abroad)
    const secrets = { JWT_SECRET: 'k3P9xV0mWq8S2n6uB1eT9yRk3oL7aHfD' }
    const production = await browser(
      await startServer({ ...PRODUCTION, ...secrets, SIGN_IN_PERMITS_PER_MINUTE: '10' }),
      abroad,
    )

    expect(refreshCookieOf(demo.signedIn)).not.toContain('Secure')
    expect(refreshCookieOf(production.signedIn)).toContain('Secure')
  })

  test('a refresh token in a cookie changes with each use, and the session goes on', async () => {
    const server = await startServer()
    const { post, cookie } = await browser(server)
    const first = cookie()

    const next = await post('refresh', {})

    expect(next.statusCode).toBe(200)
    expect(cookie()).not.toBe(first)
    expect((await whoIs(server, next.json().accessToken)).statusCode).toBe(200)
  })

  test('a used refresh cookie works for 30 more seconds, for a reload or a second tab', async () => {
    const server = await startServer()
    const { post, cookie } = await browser(server)
    const first = cookie()

    const [one, two] = await Promise.all([post('refresh', {}, first), post('refresh', {}, first)])
    server.deps.clock.advance(29)
    const three = await post('refresh', {}, first)

    expect([one, two, three].map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    for (const { accessToken } of [one, two, three].map((answer) => answer.json())) {
      expect((await whoIs(server, accessToken)).statusCode).toBe(200)
    }
  })

  test('a refresh cookie that returns later ends the session: somebody has copied it', async () => {
    const server = await startServer()
    const { post, cookie } = await browser(server)
    const first = cookie()
    const next = await post('refresh', {})
    server.deps.clock.advance(31)

    const late = await post('refresh', {}, first)

    expect(late.json()).toMatchObject({ status: 401, code: 'REFRESH_REFUSED' })
    expect((await whoIs(server, next.json().accessToken)).json()).toMatchObject({
      code: 'SESSION_ENDED',
    })
  })

  test('a browser’s refresh token is refused in a body, and when another origin makes the browser send it', async () => {
    const server = await startServer()
    const { post, cookie } = await browser(server)
    const [, refreshToken] = cookie().split('=')

    const inBody = await post('refresh', { refreshToken }, '')
    const foreign = await server.http.inject({
      method: 'POST',
      url: '/api/v1/auth/refresh',
      headers: { host: '127.0.0.1:8080', cookie: cookie(), 'sec-fetch-site': 'same-site' },
      payload: {},
    })

    expect([inBody.statusCode, foreign.statusCode]).toEqual([401, 401])
    expect((await post('refresh', {})).statusCode).toBe(200)
  })

  test('signing out ends the session and clears the cookie', async () => {
    const server = await startServer()
    const { post, cookie, signedIn } = await browser(server)
    const kept = cookie()

    const out = await post('sign-out')

    expect(parseSetCookie(refreshCookieOf(out))).toMatchObject({ maxAge: 0 })
    expect((await post('refresh', {}, kept)).statusCode).toBe(401)
    expect((await whoIs(server, signedIn.json().accessToken)).statusCode).toBe(401)
  })

  test('refreshing a blocked session says that it is blocked', async () => {
    const server = await startServer()
    const { post, signedIn, email } = await browser(server)
    const { headers } = await signInAs(server, email)
    await server.http.inject({
      method: 'POST',
      url: `/api/v1/admin/sessions/${signedIn.json().sessionId}/block`,
      headers,
      payload: { reasonCode: 'suspicious' },
    })

    expect((await post('refresh', {})).json()).toMatchObject({
      status: 401,
      code: 'SESSION_BLOCKED',
    })
  })

  test('a refresh token in a body moves into a cookie, for sessions of older consoles', async () => {
    const server = await startServer()
    const { email, post } = await browser(server)
    const { refreshToken } = await signInAs(server, email)

    const moved = await post('refresh', { refreshToken, refreshTokenIn: 'cookie' }, '')

    expect(moved.json()).not.toHaveProperty('refreshToken')
    expect((await post('refresh', {})).statusCode).toBe(200)
  })
})

test('answers with tokens are not cacheable', async () => {
  const { post, signedIn } = await browser(await startServer())

  for (const { headers } of [signedIn, await post('refresh', {})]) {
    expect(headers['cache-control']).toBe('no-store')
  }
})

test('every route whose answer is a secret forbids caching, whatever it answers', async () => {
  const server = await startServer()
  const { headers } = await signInAs(server, (await addUser(server.deps, 'operator')).email)
  const answers = await Promise.all(
    ['/api/v1/admin/api-keys', '/api/v1/admin/webhook-endpoints', '/api/v1/me/password'].map(
      (url) => server.http.inject({ method: 'POST', url, headers, payload: {} }),
    ),
  )

  expect(answers.map(({ headers }) => headers['cache-control'])).toEqual(
    Array(answers.length).fill('no-store'),
  )
})

test('secrets are rotated in two steps, and nobody is signed out', async () => {
  const [older, newer] = ['k3P9xV0mWq8S2n6uB1eT9yRk3oL7aHfD', 'v8Lq2Zc6Xb0Nm4Kj7Hg3Fd9Sa5Pt1RyW']
  const first = await startServer()
  const start = (jwtSecret: string, otherJwtSecret?: string) =>
    startServerOn(first.connection, {
      deps: first.deps,
      secrets: { ...SECRETS, jwtSecret, otherJwtSecret },
    })
  const [before, prepared, swapped, done] = [
    await start(older),
    await start(older, newer),
    await start(newer, older),
    await start(newer),
  ]
  const { email } = await addUser(first.deps, 'operator')
  const [byOlder, byNewer] = [await signInAs(prepared, email), await signInAs(swapped, email)]
  const statusAt = async (server: TestServer, { accessToken }: { accessToken: string }) =>
    (await whoIs(server, accessToken)).statusCode

  for (const server of [prepared, swapped]) {
    expect([await statusAt(server, byOlder), await statusAt(server, byNewer)]).toEqual([200, 200])
  }
  expect(await statusAt(before, byOlder)).toBe(200)
  expect([await statusAt(done, byOlder), await statusAt(done, byNewer)]).toEqual([401, 200])
})

test('only the hash of a refresh token is stored', async () => {
  const server = await startServer()
  const { cookie } = await browser(server)
  const [, token] = cookie().split('=')

  const rows = await server.deps.db.select().from(refreshTokens)

  expect(JSON.stringify(rows.map(({ tokenHash }) => tokenHash.toString()))).not.toContain(token)
})

const PRODUCTION = {
  PLACARD_MODE: 'production',
  USER_KEY_SECRET: 'Wm4rT8cZ0qLx2Vn6Jb9sYk5Hd7Pf3GaE',
  ENCRYPTION_SECRET: 'e7Rz1Kq9Lw3Xc5Vb8Nm2Jh6Gf4Ds0PaT',
  TRACKING_KEYS: '1:q2W4e6R8t0Y1u3I5o7P9a2S4d6F8g0H1',
}
