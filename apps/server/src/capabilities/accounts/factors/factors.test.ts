import { describe, expect, test } from 'vitest'
import { addAuthenticator, beginAuthenticator, codeOf } from '../../../testing/factors.ts'
import { addUser, PASSWORD, startServer, type TestServer } from '../../../testing/server.ts'

type Headers = Record<string, string>

/** `call(server, 'POST /me/recovery-codes', { headers })`. */
function call({ http }: Pick<TestServer, 'http'>, what: string, request: Request = {}) {
  const [method, path] = what.split(' ')
  const { headers = {}, payload } = request
  const url = `/api/v1${path}`
  return http.inject({ method: method as 'GET', url, headers, ...(payload && { payload }) })
}

interface Request {
  readonly headers?: Headers
  readonly payload?: object
}

const signIn = (server: Pick<TestServer, 'http'>, email: string, password = PASSWORD) =>
  call(server, 'POST /auth/sign-in', { payload: { email, password } })

const bearer = (accessToken: string): Headers => ({ authorization: `Bearer ${accessToken}` })

/** A user with an authenticator, signed in. */
async function withAuthenticator(server: TestServer, role: 'operator' | 'advertiser' = 'operator') {
  const user = await addUser(server.deps, role)
  const headers = bearer((await signIn(server, user.email)).json().accessToken)
  return { ...user, headers, ...(await addAuthenticator(server, headers)) }
}

/** The password is right: the sign-in waits for the factor. */
const halfWay = async (server: Pick<TestServer, 'http'>, email: string): Promise<string> =>
  (await signIn(server, email)).json().signInToken

const sendCode = (server: Pick<TestServer, 'http'>, signInToken: string, code: string) =>
  call(server, 'POST /auth/sign-in/code', { payload: { signInToken, code } })

describe('signing in with a code', () => {
  test('whoever has an authenticator gets a session only with a code of it', async () => {
    const server = await startServer()
    const { email, nextCode } = await withAuthenticator(server)

    const first = await signIn(server, email)
    const second = await sendCode(server, first.json().signInToken, nextCode())

    expect(first.statusCode).toBe(202)
    expect(first.json()).toEqual({
      signInToken: expect.any(String),
      expiresAt: '2026-06-15T12:10:00.000Z',
      factors: ['authenticator', 'recovery-code'],
    })
    const me = await call(server, 'GET /me', { headers: bearer(second.json().accessToken) })
    expect(me.json()).toMatchObject({ user: { email, hasFactor: true }, mustSetUpFactor: false })
  })

  test('a code works once, and none older than it works after it', async () => {
    const server = await startServer()
    const { email, secret } = await withAuthenticator(server)
    const { clock } = server.deps
    clock.advance(60)
    const [earlier, code] = [30, 60].map((seconds) =>
      codeOf(secret, new Date(clock.now().getTime() - 60_000 + seconds * 1_000)),
    )
    const codes = []
    for (const one of [code!, code!, earlier!]) {
      codes.push((await sendCode(server, await halfWay(server, email), one)).statusCode)
    }

    expect(codes).toEqual([200, 403, 403])
  })

  test('of two sign-ins that send the same code at once, one gets a session', async () => {
    const server = await startServer()
    const { email, nextCode } = await withAuthenticator(server)
    const tokens = [await halfWay(server, email), await halfWay(server, email)]

    const answers = await Promise.all(tokens.map((token) => sendCode(server, token, nextCode())))

    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 403)).toHaveLength(1)
  })

  test('the code that confirmed the authenticator does not sign in as well', async () => {
    const server = await startServer()
    const { email, secret } = await withAuthenticator(server)

    const token = await halfWay(server, email)
    const answer = await sendCode(server, token, codeOf(secret, server.deps.clock.now()))

    expect(answer.json()).toMatchObject({ status: 403, code: 'FACTOR_REFUSED' })
  })
})

test('until the second factor is set up that an account requires, nothing else is open', async () => {
  const server = await startServer({ FACTOR_REQUIRED_ROLES: 'operator' })
  const { email } = await addUser(server.deps, 'operator')
  const headers = bearer((await signIn(server, email)).json().accessToken)

  const before = await call(server, 'GET /admin/users', { headers })
  const me = await call(server, 'GET /me', { headers })
  await addAuthenticator(server, headers)
  const after = await call(server, 'GET /admin/users', { headers })

  expect(before.json()).toMatchObject({ status: 403, code: 'FACTOR_SET_UP_NEEDED' })
  expect(me.json()).toMatchObject({ mustSetUpFactor: true, permissions: [] })
  expect(after.statusCode).toBe(200)
})

test('an authenticator is added with a code of it only', async () => {
  const server = await startServer()
  const { email } = await addUser(server.deps, 'advertiser')
  const headers = bearer((await signIn(server, email)).json().accessToken)
  await beginAuthenticator(server, headers)

  const answer = await call(server, 'POST /me/factors/authenticator/confirm', {
    headers,
    payload: { name: 'My phone', code: '000000' },
  })

  expect(answer.json()).toMatchObject({ status: 403, code: 'FACTOR_REFUSED' })
})
