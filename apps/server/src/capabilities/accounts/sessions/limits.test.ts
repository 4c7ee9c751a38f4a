import { Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import {
  addUser,
  PASSWORD,
  signInAs,
  startServer,
  startServerOn,
  type TestServer,
} from '../../../testing/server.ts'
import { freshDatabase } from '../../../testing/services/database.ts'
import { argon2Passwords } from '../index.ts'
import { inQueue } from '../users/hashing-queue.ts'
import { networkOf } from './limits.ts'

interface Try {
  readonly email: string
  readonly password: string
  readonly cookie?: string
  readonly from?: string
}

const signIn = ({ http }: Pick<TestServer, 'http'>, { cookie, from, ...payload }: Try) =>
  http.inject({
    method: 'POST',
    url: '/api/v1/auth/sign-in',
    remoteAddress: from ?? '192.0.2.1',
    headers: { host: '127.0.0.1:8080', ...(cookie && { cookie }) },
    payload: { ...payload, refreshTokenIn: 'cookie' },
  })

const wrong = (email: string) => ({ email, password: 'not the password' })

/** Tries wrong passwords for one user, each from another address. */
async function guess(server: Pick<TestServer, 'http'>, email: string, times: number) {
  const answers = []
  for (let at = 1; at <= times; at++) {
    answers.push(await signIn(server, { ...wrong(email), from: `198.51.100.${at}` }))
  }
  return answers
}

describe('guessing passwords', () => {
  test('after ten wrong passwords from ten addresses even the right one is refused, until the time is over', async () => {
    const server = await startServer()
    const { email } = await addUser(server.deps, 'operator')

    const answers = await guess(server, email, 11)
    const right = await signIn(server, { email, password: PASSWORD })

    expect(answers.slice(0, 10).map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(401))
    expect(answers[10]!.json()).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS' })
    expect(Number(right.headers['retry-after'])).toBe(15 * 60)
    server.deps.clock.advance(15 * 60)
    expect((await signIn(server, { email, password: PASSWORD })).statusCode).toBe(200)
  })

  test('an unknown address is limited in the same way, so limits reveal nothing', async () => {
    const server = await startServer()

    const answers = await guess(server, 'nobody@test.example', 11)

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([...Array(10).fill(401), 429])
  })

  test('guesses by others do not keep users out of their own browser', async () => {
    const server = await startServer()
    const { email } = await addUser(server.deps, 'operator')
    const first = await signIn(server, { email, password: PASSWORD })
    const cookies = [first.headers['set-cookie']].flat().map((one) => one!.split(';')[0])
    await guess(server, email, 12)

    const cookie = cookies.join('; ')
    const own = await signIn(server, { email, password: PASSWORD, cookie })
    const strange = await signIn(server, { email, password: PASSWORD })

    expect([own.statusCode, strange.statusCode]).toEqual([200, 429])
  })

  test('concurrent guesses get no more attempts than sequential ones', async () => {
    const server = await startServer({
      SIGN_IN_FAILURES_MAX: '3',
      SIGN_IN_PERMITS_PER_MINUTE: '100',
    })
    const { email } = await addUser(server.deps, 'operator')

    const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(server, wrong(email))))

    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(3)
  })

  test('all nodes count guesses together, by address too', async () => {
    const one = await startServer({ SIGN_IN_PERMITS_PER_MINUTE: '3' })
    const other = await startServerOn(one.connection, {
      settings: { SIGN_IN_PERMITS_PER_MINUTE: '3' },
      deps: one.deps,
    })
    const codes = []
    for (const [at, server] of [one, other, one, other].entries()) {
      codes.push((await signIn(server, wrong(`nobody${at}@test.example`))).statusCode)
    }

    expect(codes).toEqual([401, 401, 401, 429])
  })

  test('guesses at the current password with a stolen access token are refused after ten attempts', async () => {
    const server = await startServer()
    const { email } = await addUser(server.deps, 'advertiser')
    const { headers } = await signInAs(server, email)
    const change = (currentPassword: string) =>
      server.http.inject({
        method: 'POST',
        url: '/api/v1/me/password',
        headers,
        payload: { currentPassword, newPassword: 'a wholly different password' },
      })
    for (let at = 0; at < 10; at++) await change(`guess ${at}`)

    expect((await change(PASSWORD)).statusCode).toBe(429)
  })

  test('tries at their own passwords by several users of one address are counted together', async () => {
    const server = await startServer({ SIGN_IN_PERMITS_PER_MINUTE: '4' })
    const people: Awaited<ReturnType<typeof signInAs>>[] = []
    for (let at = 0; at < 2; at++) {
      const { email } = await addUser(server.deps, 'advertiser')
      people.push(await signInAs(server, email))
    }
    const guess = async (at: number) => {
      const { headers } = people[at]!
      const payload = { currentPassword: 'a guess', newPassword: 'a wholly different password' }
      const url = '/api/v1/me/password'
      return (await server.http.inject({ method: 'POST', url, headers, payload })).statusCode
    }

    expect([await guess(0), await guess(1), await guess(0), await guess(1)]).toEqual([
      400, 400, 429, 429,
    ])
    const { headers } = people[0]!
    const payload = { password: 'a guess' }
    const proof = { method: 'POST', url: '/api/v1/me/proof/password', headers, payload } as const
    expect((await server.http.inject(proof)).statusCode).toBe(429)
    server.deps.clock.advance(60)
    expect((await server.http.inject(proof)).statusCode).toBe(400)
  })
})

test('one IPv6 network counts as one address', () => {
  expect(networkOf('2001:db8:1:2:3::4')).toBe(networkOf('2001:db8:1:2:ffff::1'))
  expect(networkOf('2001:db8:1:3::4')).not.toBe(networkOf('2001:db8:1:2::4'))
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1')
})

describe('the audit log', () => {
  test('a wrong own password is in the audit log, wherever it was tried', async () => {
    const server = await startServer()
    const { email, publicId } = await addUser(server.deps, 'operator')
    const { headers } = await signInAs(server, email)
    for (const [url, payload] of [
      ['/me/password', { currentPassword: 'a guess', newPassword: 'a wholly different one' }],
      ['/me/proof/password', { password: 'a guess' }],
    ] as const) {
      await server.http.inject({ method: 'POST', url: `/api/v1${url}`, headers, payload })
    }

    const log = await server.http.inject({ url: '/api/v1/admin/audit-log', headers })

    const failed = { action: 'user.proof-failed', actorId: publicId, entityId: publicId }
    expect(log.json().items).toMatchObject([failed, failed, { action: 'session.sign-in' }])
  })

  test('the audit log has who signed in, who failed, and when sign-ins were limited', async () => {
    const server = await startServer({ SIGN_IN_FAILURES_MAX: '3' })
    const { email, publicId } = await addUser(server.deps, 'operator')
    const { headers } = await signInAs(server, email)
    await guess(server, email, 5)

    const log = await server.http.inject({ url: '/api/v1/admin/audit-log', headers })

    const actions = log.json().items.map(({ action }: { action: string }) => action)
    expect(actions).toEqual([
      'user.sign-ins-limited',
      'user.sign-in-failed',
      'user.sign-in-failed',
      'user.sign-in-failed',
      'session.sign-in',
    ])
    expect(log.json().items[0]).toMatchObject({ actorKind: 'system', entityId: publicId })
  })
})

describe('hashing', () => {
  const slow = () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const passwords = { hash: () => promise, verify: async () => true }
    return { passwords, finish: () => resolve('hash') }
  }

  test('hashing waits in a bounded queue; beyond it requests are refused with Retry-After', async () => {
    const { passwords, finish } = slow()
    const queue = inQueue(passwords, new Registry(), { atOnce: 1, waitingMax: 2 })
    const taken = [queue.hash('one'), queue.hash('two'), queue.hash('three')]

    const refused = queue.hash('four')

    await expect(refused).rejects.toMatchObject({
      kind: { code: 'SIGN_IN_BUSY', status: 503 },
      retryAfterSeconds: 2,
    })
    finish()
    expect(await Promise.all(taken)).toEqual(['hash', 'hash', 'hash'])
    expect(await queue.verify('hash', 'five')).toBe(true)
  })

  test('a crowd of sign-ins gets Retry-After over HTTP, and the rest is answered', async () => {
    const server = await startServerOn(await freshDatabase(), {
      settings: { SIGN_IN_PERMITS_PER_MINUTE: '1000' },
      passwords: argon2Passwords({ memoryKib: 16_384, passes: 4 }),
    })

    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, at) => signIn(server, wrong(`nobody${at}@test.example`))),
    )

    const busy = answers.filter(({ statusCode }) => statusCode === 503)
    expect(busy.length).toBeGreaterThan(0)
    expect(busy[0]!.headers['retry-after']).toBe('2')
    expect(answers.filter(({ statusCode }) => statusCode === 401).length).toBeGreaterThan(33)
  })

  test('hashing holds no lock: meanwhile the user can be changed', async () => {
    const server = await startServer()
    const operator = await addUser(server.deps, 'operator')
    const { headers } = await signInAs(server, operator.email)
    const advertiser = await addUser(server.deps, 'advertiser')
    const url = `/api/v1/admin/users/${advertiser.publicId}`
    const set = server.http.inject({
      method: 'POST',
      url: `${url}/password`,
      headers,
      payload: { password: 'several quite unusual words' },
    })
    const named = server.http.inject({
      method: 'PATCH',
      url,
      headers,
      payload: { displayName: 'Another' },
    })

    expect((await Promise.all([set, named])).map(({ statusCode }) => statusCode)).toEqual([
      200, 200,
    ])
  })
})

test.each(['password1234', 'qwertyuiop12', 'aaaaaaaaaaaa', 'the advertiser', 'abcabcabcabcabc'])(
  'the password "%s" is refused everywhere: it is tried first',
  async (password) => {
    const server = await startServer()
    const operator = await addUser(server.deps, 'operator')
    const { email, publicId, account } = await addUser(server.deps, 'advertiser')
    const own = await signInAs(server, email)
    const { headers } = await signInAs(server, operator.email)
    const post = (url: string, request: object) =>
      server.http.inject({ method: 'POST', url: `/api/v1${url}`, ...request })
    const body = { email: 'new@test.example', displayName: 'The advertiser', role: 'advertiser' }

    const answers = [
      await post('/admin/users', {
        headers,
        payload: { ...body, accountId: account.publicId, password },
      }),
      await post('/me/password', {
        headers: own.headers,
        payload: { currentPassword: PASSWORD, newPassword: password },
      }),
      ...(password === 'the advertiser'
        ? []
        : [await post(`/admin/users/${publicId}/password`, { headers, payload: { password } })]),
    ]

    for (const answer of answers) {
      expect(answer.json()).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
      expect(answer.json().faults[0].message).toMatch(/tried first/)
    }
  },
)
