import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf } from '../../../testing/factors.ts'
import { addUser, PASSWORD, startServerOn, type TestServer } from '../../../testing/server.ts'
import { freshDatabase } from '../../../testing/services/database.ts'
import { auditLog, pendingSignIns } from '../tables.ts'
import {
  bearer,
  call,
  halfWay,
  sendCode,
  signedIn,
  signIn,
  withAuthenticator,
} from './testing-calls.ts'

const SETTINGS = { SIGN_IN_PERMITS_PER_MINUTE: '10000', SIGN_IN_FAILURES_MAX: '3' }

let server: TestServer
let otherNode: TestServer
beforeAll(async () => {
  const ends: (() => Promise<unknown>)[] = []
  const atEnd = (end: () => Promise<unknown>) => void ends.unshift(end)
  const connection = await freshDatabase(undefined, atEnd)
  server = await startServerOn(connection, { settings: SETTINGS, atEnd })
  otherNode = await startServerOn(connection, { settings: SETTINGS, atEnd, deps: server.deps })
  return async () => {
    for (const end of ends) await end()
  }
})

/** What the audit log says happened to a user. */
async function actionsOn(publicId: string): Promise<string[]> {
  const found = await server.deps.db.select().from(auditLog).where(eq(auditLog.entityId, publicId))
  return found.map(({ action }) => action)
}

describe('signing in with a code', () => {
  test('whoever has an authenticator gets a session only with a code of it', async () => {
    const { email, nextCode } = await withAuthenticator(server)

    const first = await signIn(server, email)
    const second = await sendCode(server, first.json().signInToken, nextCode())

    expect(first.statusCode).toBe(202)
    expect(first.headers['set-cookie']).toBeUndefined()
    expect(first.json()).toEqual({
      signInToken: expect.any(String),
      expiresAt: new Date(server.deps.clock.now().getTime() + 600_000).toISOString(),
      factors: ['authenticator', 'recovery-code'],
    })
    const me = await call(server, 'GET /me', { headers: bearer(second.json().accessToken) })
    expect(me.json()).toMatchObject({ user: { email, hasFactor: true }, mustSetUpFactor: false })
  })

  test('the second step gives a browser the same cookies as a sign-in without one', async () => {
    const { email, nextCode } = await withAuthenticator(server)
    const signInToken = await halfWay(server, email)

    const answer = await call(server, 'POST /auth/sign-in/code', {
      payload: { signInToken, code: nextCode(), refreshTokenIn: 'cookie' },
    })

    expect(answer.json()).not.toHaveProperty('refreshToken')
    expect(answer.headers['cache-control']).toBe('no-store')
    const cookies = [answer.headers['set-cookie']].flat().map((one) => one!.split('=')[0])
    expect(cookies).toEqual(['placard_device_80', 'placard_refresh_80'])
  })

  test('a code works once, and none older than it works after it', async () => {
    const { email, secret } = await withAuthenticator(server)
    const { clock } = server.deps
    clock.advance(60)
    const [earlier, code] = [-30, 0].map((seconds) =>
      codeOf(secret, new Date(clock.now().getTime() + seconds * 1_000)),
    )
    const codes = []
    for (const one of [code!, code!, earlier!]) {
      codes.push((await sendCode(server, await halfWay(server, email), one)).statusCode)
    }

    expect(codes).toEqual([200, 403, 403])
  })

  test('a code of a minute ago or of the next minute is not accepted', async () => {
    const { email, secret } = await withAuthenticator(server)
    const { clock } = server.deps
    clock.advance(600)
    const answers = []
    for (const seconds of [-60, 60]) {
      const code = codeOf(secret, new Date(clock.now().getTime() + seconds * 1_000))
      answers.push((await sendCode(server, await halfWay(server, email), code)).json().code)
    }

    expect(answers).toEqual(['FACTOR_REFUSED', 'FACTOR_REFUSED'])
  })

  test('of two sign-ins that send the same code at once to two nodes, one gets a session', async () => {
    const { email, nextCode } = await withAuthenticator(server)
    const [one, other] = [await halfWay(server, email), await halfWay(server, email)]

    const answers = await Promise.all([
      sendCode(server, one, nextCode()),
      sendCode(otherNode, other, nextCode()),
    ])

    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 403)).toHaveLength(1)
  })

  test('the code that confirmed the authenticator does not sign in as well', async () => {
    const { email, secret } = await withAuthenticator(server)

    const token = await halfWay(server, email)
    const answer = await sendCode(server, token, codeOf(secret, server.deps.clock.now()))

    expect(answer.json()).toMatchObject({ status: 403, code: 'FACTOR_REFUSED' })
  })

  test('a code of somebody else’s authenticator is refused', async () => {
    const mine = await withAuthenticator(server)
    const theirs = await withAuthenticator(server)

    const answer = await sendCode(server, await halfWay(server, theirs.email), mine.nextCode())

    expect(answer.json()).toMatchObject({ status: 403, code: 'FACTOR_REFUSED' })
  })
})

describe('a sign-in that waits for its factor', () => {
  test('its token opens nothing: it is no access token and no refresh token', async () => {
    const { email } = await withAuthenticator(server)
    const token = await halfWay(server, email)

    const me = await call(server, 'GET /me', { headers: bearer(token) })
    const refreshed = await call(server, 'POST /auth/refresh', { payload: { refreshToken: token } })

    expect([me.statusCode, refreshed.statusCode]).toEqual([401, 401])
  })

  test('it is completed once, and at rest there is only a hash of its token', async () => {
    const { email, nextCode, recoveryCodes } = await withAuthenticator(server)
    const token = await halfWay(server, email)
    const rows = await server.deps.db.select().from(pendingSignIns)

    const first = await sendCode(server, token, nextCode())
    const second = await sendCode(server, token, recoveryCodes[0]!)

    expect(first.statusCode).toBe(200)
    expect(second.json()).toMatchObject({ status: 401, code: 'SIGN_IN_EXPIRED' })
    expect(JSON.stringify(rows.map(({ tokenHash }) => tokenHash.toString()))).not.toContain(token)
  })

  test('it ends after ten minutes', async () => {
    const { email, secret } = await withAuthenticator(server)
    const { clock } = server.deps
    const token = await halfWay(server, email)
    clock.advance(10 * 60)

    const answer = await sendCode(server, token, codeOf(secret, clock.now()))

    expect(answer.json()).toMatchObject({ status: 401, code: 'SIGN_IN_EXPIRED' })
  })

  test('it ends when its user is disabled meanwhile', async () => {
    const operator = await signedIn(server, 'operator')
    const { email, publicId, nextCode } = await withAuthenticator(server)
    const token = await halfWay(server, email)
    await call(server, `PATCH /admin/users/${publicId}`, {
      headers: { ...operator.headers, 'if-match': '"1"' },
      payload: { isActive: false },
    })

    const answer = await sendCode(server, token, nextCode())

    expect(answer.json()).toMatchObject({ status: 401, code: 'SIGN_IN_EXPIRED' })
  })

  test('it ends when the password is changed, which may have become known', async () => {
    const { email, headers, nextCode } = await withAuthenticator(server)
    const token = await halfWay(server, email)
    const newPassword = 'a wholly different password'
    await call(server, 'POST /me/password', {
      headers,
      payload: { currentPassword: PASSWORD, newPassword },
    })

    const answer = await sendCode(server, token, nextCode())

    expect(answer.json()).toMatchObject({ status: 401, code: 'SIGN_IN_EXPIRED' })
  })

  test('a wrong password is answered alike, whether or not somebody has a factor', async () => {
    const { email } = await withAuthenticator(server)
    const { email: without } = await addUser(server.deps, 'advertiser')

    const answers = [await signIn(server, email, 'wrong'), await signIn(server, without, 'wrong')]

    const [withFactor, plain] = answers.map((answer) => ({ ...answer.json(), instance: '' }))
    expect(withFactor).toEqual(plain)
    expect(withFactor.code).toBe('SIGN_IN_REFUSED')
  })
})

describe('guessing codes', () => {
  test('after as many wrong codes as wrong passwords are allowed even the right one is refused, on every node', async () => {
    const { email, publicId, nextCode } = await withAuthenticator(server)
    const token = await halfWay(server, email)
    const answers = []
    for (const node of [server, otherNode, server]) {
      answers.push((await sendCode(node, token, '000000')).statusCode)
    }

    const right = await sendCode(otherNode, await halfWay(server, email), nextCode())

    expect(answers).toEqual([403, 403, 403])
    expect(right.json()).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS' })
    expect(Number(right.headers['retry-after'])).toBe(15 * 60)
    expect(await actionsOn(publicId)).toEqual([
      'user.add-factor',
      'user.factor-failed',
      'user.factor-failed',
      'user.factor-failed',
      'user.factors-limited',
    ])
  })

  test('guesses that are sent at once get no more tries than one after the other', async () => {
    const { email } = await withAuthenticator(server)
    const token = await halfWay(server, email)

    const answers = await Promise.all(
      Array.from({ length: 8 }, () => sendCode(server, token, '000000')),
    )

    expect(answers.filter(({ statusCode }) => statusCode === 403)).toHaveLength(3)
  })

  test('somebody who knows the password and tries codes does not keep the owner out of a known browser', async () => {
    const { email, nextCode } = await withAuthenticator(server)
    const host = { host: '127.0.0.1:8080' }
    const complete = (signInToken: string, code: string, cookie = '') =>
      call(server, 'POST /auth/sign-in/code', {
        headers: { ...host, ...(cookie && { cookie }) },
        payload: { signInToken, code, refreshTokenIn: 'cookie' },
      })
    const first = await complete(await halfWay(server, email), nextCode())
    const cookie = [first.headers['set-cookie']].flat().map((one) => one!.split(';')[0])
    for (let at = 0; at < 4; at++) await complete(await halfWay(server, email), '000000')
    server.deps.clock.advance(60)

    const token = await halfWay(server, email)
    const strange = await complete(token, nextCode())
    const own = await complete(token, nextCode(), cookie.join('; '))

    expect([strange.statusCode, own.statusCode]).toEqual([429, 200])
  })
})

describe('recovery codes', () => {
  test('each signs in once instead of a factor, in any case and without dashes', async () => {
    const { email, recoveryCodes, publicId } = await withAuthenticator(server)
    const typed = recoveryCodes[0]!.toUpperCase().replaceAll('-', ' ')

    const first = await sendCode(server, await halfWay(server, email), typed)
    const second = await sendCode(server, await halfWay(server, email), recoveryCodes[0]!)

    expect(recoveryCodes).toHaveLength(10)
    expect(new Set(recoveryCodes).size).toBe(10)
    expect([first.statusCode, second.statusCode]).toEqual([200, 403])
    expect(await actionsOn(publicId)).toContain('user.use-recovery-code')
    const own = await call(server, 'GET /me/factors', { headers: bearer(first.json().accessToken) })
    expect(own.json().recoveryCodesLeft).toBe(9)
  })

  test('a recovery code of somebody else is refused, and still works for its owner', async () => {
    const mine = await withAuthenticator(server)
    const theirs = await withAuthenticator(server)
    const [code] = mine.recoveryCodes

    const stolen = await sendCode(server, await halfWay(server, theirs.email), code!)
    const own = await sendCode(server, await halfWay(server, mine.email), code!)

    expect([stolen.statusCode, own.statusCode]).toEqual([403, 200])
  })
})
