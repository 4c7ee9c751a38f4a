import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { addAuthenticator, beginAuthenticator, codeOf } from '../../../testing/factors.ts'
import {
  addKey,
  PASSWORD,
  SECRETS,
  startServerOn,
  type TestServer,
} from '../../../testing/server.ts'
import { freshDatabase } from '../../../testing/services/database.ts'
import { openSecretBox } from '../../../platform/secret-box.ts'
import {
  deviceSessions,
  FACTOR_SECRETS,
  recoveryCodes as storedCodes,
  signInFactors,
} from '../tables.ts'
import { factorRolesOf } from './factor.ts'
import {
  bearer,
  call,
  halfWay,
  sendCode,
  signedIn,
  signIn,
  withAuthenticator,
} from './testing-calls.ts'

const SETTINGS = { SIGN_IN_PERMITS_PER_MINUTE: '10000', FACTOR_REQUIRED_ROLES: 'operator' }

let server: TestServer
/** The same installation, where no role needs a factor. */
let relaxed: TestServer
beforeAll(async () => {
  const ends: (() => Promise<unknown>)[] = []
  const atEnd = (end: () => Promise<unknown>) => void ends.unshift(end)
  const connection = await freshDatabase(undefined, atEnd)
  server = await startServerOn(connection, { settings: SETTINGS, atEnd })
  const settings = { ...SETTINGS, FACTOR_REQUIRED_ROLES: 'none' }
  relaxed = await startServerOn(connection, { settings, atEnd, deps: server.deps })
  return async () => {
    for (const end of ends) await end()
  }
})

const removal = (factorId: string, headers: Record<string, string>) =>
  call(server, `DELETE /me/factors/${factorId}`, { headers })

const OPEN = [
  'GET /api/v1/me',
  'GET /api/v1/me/factors',
  'POST /api/v1/me/factors/authenticator',
  'POST /api/v1/me/factors/authenticator/confirm',
  'POST /api/v1/me/factors/passkey',
  'POST /api/v1/me/factors/passkey-challenge',
  'DELETE /api/v1/me/factors/:factorId',
  'POST /api/v1/me/proof/code',
  'POST /api/v1/me/proof/passkey',
  'POST /api/v1/me/proof/passkey-challenge',
  'POST /api/v1/me/proof/password',
  'POST /api/v1/me/recovery-codes',
]

test('operators and ad-ops need a factor in production, nobody in the demo, unless a setting says who', () => {
  const production = { isProduction: true }
  expect([...factorRolesOf(undefined, production)]).toEqual(['operator', 'ad-ops'])
  expect([...factorRolesOf(undefined, { isProduction: false })]).toEqual([])
  expect([...factorRolesOf('none', production)]).toEqual([])
  expect([...factorRolesOf('operator, trust', production)]).toEqual(['operator', 'trust'])
})

describe('a factor that is required', () => {
  test('until it is set up every route is closed but those for setting it up', async () => {
    const { headers } = await signedIn(server, 'operator')
    const open: string[] = []
    for (const { method, url, access } of server.http.routeTable) {
      if (access === 'public' || method === 'HEAD') continue
      const path = url.replaceAll(/:\w+/g, '01890000-0000-7000-8000-00000000dead')
      const answer = await server.http.inject({ method: method as 'GET', url: path, headers })
      const isClosed = answer.statusCode === 403 && answer.body.includes('FACTOR_SET_UP_NEEDED')
      if (!isClosed) open.push(`${method} ${url}`)
    }

    expect(open.toSorted()).toEqual(OPEN.toSorted())
  })

  test('setting one up opens everything in the same session', async () => {
    const { headers } = await signedIn(server, 'operator')

    const me = await call(server, 'GET /me', { headers })
    await addAuthenticator(server, headers)
    const after = await call(server, 'GET /me', { headers })

    expect(me.json()).toMatchObject({ mustSetUpFactor: true, permissions: [] })
    expect(after.json()).toMatchObject({ mustSetUpFactor: false })
    expect(after.json().permissions).toContain('users:write')
  })

  test('a refreshed session is as closed as before', async () => {
    const { email } = await signedIn(server, 'operator')
    const { refreshToken } = (await signIn(server, email)).json()

    const refreshed = await call(server, 'POST /auth/refresh', { payload: { refreshToken } })

    const headers = bearer(refreshed.json().accessToken)
    const users = await call(server, 'GET /admin/users', { headers })
    expect(users.json()).toMatchObject({ status: 403, code: 'FACTOR_SET_UP_NEEDED' })
  })

  test('an account requires it of all its users from the next request on, and API keys go on', async () => {
    const operator = await withAuthenticator(server, 'operator')
    const { headers, account } = await signedIn(server, 'advertiser')
    const key = await addKey(server, { account, scopes: ['campaigns:read'] })

    const patched = await call(server, `PATCH /admin/accounts/${account.publicId}`, {
      headers: { ...operator.headers, 'if-match': '"1"' },
      payload: { requiresFactor: true },
    })

    expect(patched.json()).toMatchObject({ requiresFactor: true })
    const asUser = await call(server, 'GET /admin/campaigns', { headers })
    const asKey = await call(server, 'GET /admin/campaigns', { headers: key })
    expect(asUser.json()).toMatchObject({ status: 403, code: 'FACTOR_SET_UP_NEEDED' })
    expect(asKey.statusCode).toBe(200)
  })

  test('the last one cannot be removed while it is required', async () => {
    const { headers, factorId } = await withAuthenticator(server, 'operator')

    const last = await removal(factorId, headers)
    server.deps.clock.advance(30)
    await addAuthenticator(server, headers, 'Another phone')
    const oneOfTwo = await removal(factorId, headers)

    expect(last.json()).toMatchObject({ status: 409, code: 'LAST_FACTOR' })
    expect(oneOfTwo.statusCode).toBe(204)
  })
})

describe('adding a factor', () => {
  test('it takes a code of the new authenticator', async () => {
    const { headers } = await signedIn(server)
    await beginAuthenticator(server, headers)

    const answer = await call(server, 'POST /me/factors/authenticator/confirm', {
      headers,
      payload: { name: 'My phone', code: '000000' },
    })

    expect(answer.json()).toMatchObject({ status: 403, code: 'FACTOR_REFUSED' })
    expect((await call(server, 'GET /me/factors', { headers })).json().items).toEqual([])
  })

  test('an app reads the secret from an address with the name of the user and the installation', async () => {
    const { headers, email } = await signedIn(server)

    const { address, secret } = await beginAuthenticator(server, headers)

    const { protocol, searchParams, pathname } = new URL(address)
    expect(protocol).toBe('otpauth:')
    expect(decodeURIComponent(pathname)).toContain(email)
    expect(Object.fromEntries(searchParams)).toMatchObject({ secret, issuer: 'Placard' })
  })

  test('the secret belongs to the session that asked for it, and waits ten minutes', async () => {
    const { email, headers } = await signedIn(server)
    const other = bearer((await signIn(server, email)).json().accessToken)
    const { secret } = await beginAuthenticator(server, headers)
    const confirm = (headers: Record<string, string>) => {
      const payload = { name: 'My phone', code: codeOf(secret, server.deps.clock.now()) }
      return call(server, 'POST /me/factors/authenticator/confirm', { headers, payload })
    }

    const elsewhere = await confirm(other)
    server.deps.clock.advance(10 * 60)
    const late = await confirm(headers)

    expect(elsewhere.json()).toMatchObject({ status: 409, code: 'FACTOR_SET_UP_EXPIRED' })
    expect(late.json()).toMatchObject({ status: 409, code: 'FACTOR_SET_UP_EXPIRED' })
  })

  test('the first one ends all other sessions, which began without one', async () => {
    const { email, headers } = await signedIn(server)
    const { accessToken, refreshToken } = (await signIn(server, email)).json()

    await addAuthenticator(server, headers)

    const me = await call(server, 'GET /me', { headers: bearer(accessToken) })
    const refreshed = await call(server, 'POST /auth/refresh', { payload: { refreshToken } })
    expect([me.statusCode, refreshed.statusCode]).toEqual([401, 401])
    expect((await call(server, 'GET /me', { headers })).statusCode).toBe(200)
  })

  test('a session that says nothing of a factor is refused, as an older release opens it during an upgrade', async () => {
    const { headers } = await withAuthenticator(server)
    const { id } = (await call(server, 'GET /me/sessions', { headers })).json().items[0]
    await server.deps.db
      .update(deviceSessions)
      .set({ factorProof: null })
      .where(eq(deviceSessions.publicId, id))

    const me = await call(server, 'GET /me', { headers })

    expect(me.json()).toMatchObject({ status: 401, code: 'SESSION_ENDED' })
  })

  test('secrets are encrypted at rest, and of recovery codes there is only a hash', async () => {
    const { secret, recoveryCodes } = await withAuthenticator(server)
    const { db } = server.deps

    const factors = await db.select().from(signInFactors)
    const codes = await db.select().from(storedCodes)

    const box = openSecretBox(SECRETS.encryptionSecret, FACTOR_SECRETS.purpose)
    const opened = await Promise.all(factors.map(({ sealedSecret }) => box.open(sealedSecret!)))
    expect(opened).toContain(secret)
    expect(factors.map(({ sealedSecret }) => sealedSecret).join()).not.toContain(secret)
    expect(codes.map(({ codeHash }) => codeHash.toString()).join()).not.toContain(recoveryCodes[0]!)
  })

  test('nobody has more than ten', async () => {
    const { headers } = await withAuthenticator(server)
    for (let at = 2; at <= 10; at++) {
      server.deps.clock.advance(30)
      await addAuthenticator(server, headers)
    }

    const answer = await call(server, 'POST /me/factors/authenticator', { headers })

    expect(answer.json()).toMatchObject({ status: 409, code: 'TOO_MANY_FACTORS' })
  })

  test('API keys have no factors', async () => {
    const { account } = await signedIn(server)
    const headers = await addKey(server, { account, scopes: ['campaigns:read'] })

    const answer = await call(server, 'POST /me/factors/authenticator', { headers })

    expect(answer.json()).toMatchObject({ status: 403, code: 'OWN_SESSION_NEEDED' })
  })
})

describe('a fresh proof', () => {
  /** Whatever changes factors. */
  const changes = (factorId: string) => [
    'POST /me/factors/authenticator',
    'POST /me/factors/passkey-challenge',
    'POST /me/recovery-codes',
    `DELETE /me/factors/${factorId}`,
  ]

  test('ten minutes after the sign-in every change of factors needs one', async () => {
    const { headers, factorId } = await withAuthenticator(server)
    server.deps.clock.advance(10 * 60 + 1)

    const answers = []
    for (const what of changes(factorId)) {
      answers.push((await call(server, what, { headers })).json().code)
    }

    expect(answers).toEqual(Array(4).fill('PROOF_NEEDED'))
  })

  test('the password is one, and so is a code', async () => {
    const { headers, factorId, nextCode } = await withAuthenticator(server)
    const codes = await call(server, 'POST /me/recovery-codes', { headers })
    server.deps.clock.advance(10 * 60 + 1)

    const wrong = await call(server, 'POST /me/proof/password', {
      headers,
      payload: { password: 'not the password' },
    })
    const byCode = await call(server, 'POST /me/proof/code', {
      headers,
      payload: { code: nextCode() },
    })
    const renewed = await call(server, 'POST /me/recovery-codes', { headers })
    server.deps.clock.advance(4 * 60)
    await call(server, 'POST /me/proof/password', { headers, payload: { password: PASSWORD } })
    const removed = await removal(factorId, headers)

    expect(wrong.json()).toMatchObject({ status: 400, code: 'PASSWORD_WRONG' })
    expect([byCode.statusCode, renewed.statusCode, removed.statusCode]).toEqual([204, 200, 204])
    expect(renewed.json().recoveryCodes).not.toEqual(codes.json().recoveryCodes)
  })

  test('a wrong proof is in the audit log', async () => {
    const operator = await withAuthenticator(server, 'operator')
    const { headers, publicId } = await withAuthenticator(server)
    await call(server, 'POST /me/proof/code', { headers, payload: { code: '000000' } })

    const log = await call(server, `GET /admin/audit-log?entityId=${publicId}`, {
      headers: operator.headers,
    })
    expect(log.json().items[0]).toMatchObject({ action: 'user.proof-failed', actorId: publicId })
  })

  test('wrong proofs are counted, so that nobody guesses the password with a stolen token', async () => {
    const { headers } = await withAuthenticator(server)
    const prove = (password: string) =>
      call(server, 'POST /me/proof/password', { headers, payload: { password } })
    for (let at = 0; at < 10; at++) await prove(`guess ${at}`)

    expect((await prove(PASSWORD)).statusCode).toBe(429)
  })
})

describe('removing a factor', () => {
  test('without the last one a password is enough again, and the recovery codes are gone', async () => {
    const { headers, email, factorId, recoveryCodes } = await withAuthenticator(server)
    const waiting = await halfWay(server, email)

    const removed = await removal(factorId, headers)

    expect(removed.statusCode).toBe(204)
    expect((await signIn(server, email)).statusCode).toBe(200)
    expect((await sendCode(server, waiting, recoveryCodes[0]!)).statusCode).toBe(403)
  })

  test('a factor of somebody else cannot be removed', async () => {
    const mine = await withAuthenticator(server)
    const theirs = await withAuthenticator(server)

    const answer = await removal(theirs.factorId, mine.headers)

    expect(answer.json()).toMatchObject({ status: 404, code: 'FACTOR_NOT_FOUND' })
    expect((await signIn(server, theirs.email)).statusCode).toBe(202)
  })

  test('whoever removed the last one has to set up another when a factor is required later', async () => {
    const { headers, factorId } = await withAuthenticator(relaxed, 'operator')
    await call(relaxed, `DELETE /me/factors/${factorId}`, { headers })

    const where = [relaxed, server].map((node) => call(node, 'GET /admin/users', { headers }))

    expect((await Promise.all(where)).map(({ statusCode }) => statusCode)).toEqual([200, 403])
  })
})

describe('new recovery codes', () => {
  test('they replace the old ones', async () => {
    const { headers, email, recoveryCodes } = await withAuthenticator(server)

    const renewed = await call(server, 'POST /me/recovery-codes', { headers })

    const [older, newer] = [recoveryCodes[0]!, renewed.json().recoveryCodes[0]]
    expect((await sendCode(server, await halfWay(server, email), older)).statusCode).toBe(403)
    expect((await sendCode(server, await halfWay(server, email), newer)).statusCode).toBe(200)
  })

  test('whoever has no factor gets none', async () => {
    const { headers } = await signedIn(server)

    const answer = await call(server, 'POST /me/recovery-codes', { headers })

    expect(answer.json()).toMatchObject({ status: 409, code: 'NO_FACTOR' })
  })
})
