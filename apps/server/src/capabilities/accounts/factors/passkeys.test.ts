import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { addPasskey, challengeFrom } from '../../../testing/factors.ts'
import { softwarePasskey, type SoftwarePasskey } from '../../../testing/passkey.ts'
import { startServerOn, type TestServer } from '../../../testing/server.ts'
import { freshDatabase } from '../../../testing/services/database.ts'
import { auditLog, signInFactors } from '../tables.ts'
import { judgeCreated } from './passkey.ts'
import { passkeySiteOf } from './passkey-site.ts'
import { bearer, call, halfWay, signedIn, signIn } from './testing-calls.ts'

const HOST = 'ads.test.example'
const SITE = { host: HOST, origin: `https://${HOST}` }

let server: TestServer
beforeAll(async () => {
  const ends: (() => Promise<unknown>)[] = []
  const atEnd = (end: () => Promise<unknown>) => void ends.unshift(end)
  const connection = await freshDatabase(undefined, atEnd)
  const settings = { SIGN_IN_PERMITS_PER_MINUTE: '10000', PUBLIC_URL: `https://${HOST}/` }
  server = await startServerOn(connection, { settings, atEnd })
  return async () => {
    for (const end of ends) await end()
  }
})

/** A user with a passkey, signed in. */
async function withPasskey(options = {}) {
  const user = await signedIn(server)
  const passkey = await addPasskey(server, user.headers, { ...SITE, ...options })
  return { ...user, passkey }
}

const CHALLENGE = '/auth/sign-in/passkey-challenge'

const challengeOf = (signInToken: string) =>
  challengeFrom(server, { path: CHALLENGE, payload: { signInToken } })

const send = (signInToken: string, credential: object) =>
  call(server, 'POST /auth/sign-in/passkey', { payload: { signInToken, credential } })

/** Begins with a passkey, without a password. */
async function beginAlone() {
  const answer = await call(server, `POST ${CHALLENGE}`, { payload: {} })
  return answer.json<{ signInToken: string; options: { challenge: string } }>()
}

async function signInAlone(passkey: SoftwarePasskey) {
  const { signInToken, options } = await beginAlone()
  return send(signInToken, passkey.use(options.challenge))
}

describe('a passkey as second factor', () => {
  test('it completes a sign-in that began with the password', async () => {
    const { email, passkey } = await withPasskey({ verifiesUser: false })

    const first = await signIn(server, email)
    const { signInToken } = first.json()
    const second = await send(signInToken, passkey.use(await challengeOf(signInToken)))

    expect(first.statusCode).toBe(202)
    expect(first.json().factors).toEqual(['passkey', 'recovery-code'])
    const me = await call(server, 'GET /me', { headers: bearer(second.json().accessToken) })
    expect(me.json()).toMatchObject({ user: { email } })
  })

  test('its challenge names the passkeys of that user, for that site', async () => {
    const { email, passkey } = await withPasskey()
    const signInToken = await halfWay(server, email)

    const answer = await call(server, `POST ${CHALLENGE}`, { payload: { signInToken } })

    expect(answer.json().options).toMatchObject({
      rpId: HOST,
      allowCredentials: [{ id: passkey.use('').id, type: 'public-key', transports: ['internal'] }],
    })
  })

  test('a challenge works once, whatever came of it', async () => {
    const { email, passkey } = await withPasskey()
    const signInToken = await halfWay(server, email)
    const challenge = await challengeOf(signInToken)

    const wrong = await send(signInToken, { ...passkey.use(challenge), signature: 'AAAA' })
    const right = await send(signInToken, passkey.use(challenge))

    expect(wrong.json()).toMatchObject({ status: 403, code: 'FACTOR_REFUSED' })
    expect(right.json()).toMatchObject({ status: 403, code: 'FACTOR_REFUSED' })
  })

  test('the challenge of another sign-in is refused', async () => {
    const { email, passkey } = await withPasskey()
    const [one, other] = [await halfWay(server, email), await halfWay(server, email)]
    await challengeOf(one)

    const answer = await send(one, passkey.use(await challengeOf(other)))

    expect(answer.json()).toMatchObject({ status: 403, code: 'FACTOR_REFUSED' })
  })

  test.each([
    ['another page of the same host', { origin: `https://${HOST}:8443` }],
    ['a page of another site that asks for ours', { origin: 'https://evil.example' }],
    ['another site', { host: 'evil.example' }],
  ])('what it signed for %s is refused', async (_where, place) => {
    const { email, passkey } = await withPasskey()
    const signInToken = await halfWay(server, email)

    const answer = await send(signInToken, passkey.use(await challengeOf(signInToken), place))

    expect(answer.json()).toMatchObject({ status: 403, code: 'FACTOR_REFUSED' })
  })

  test('a passkey of somebody else is refused', async () => {
    const mine = await withPasskey()
    const { email } = await withPasskey()
    const signInToken = await halfWay(server, email)

    const answer = await send(signInToken, mine.passkey.use(await challengeOf(signInToken)))

    expect(answer.json()).toMatchObject({ status: 403, code: 'FACTOR_REFUSED' })
  })

  test('a copy whose counter has fallen behind is refused', async () => {
    const { email, passkey } = await withPasskey()
    await server.deps.db
      .update(signInFactors)
      .set({ counter: 100 })
      .where(eq(signInFactors.credentialId, passkey.use('').id))
    const signInToken = await halfWay(server, email)

    const answer = await send(signInToken, passkey.use(await challengeOf(signInToken)))

    expect(answer.json()).toMatchObject({ status: 403, code: 'FACTOR_REFUSED' })
  })
})

describe('a passkey alone', () => {
  test('it signs in without a password if the device has checked who holds it', async () => {
    const { email, publicId, passkey } = await withPasskey()

    const answer = await signInAlone(passkey)

    const me = await call(server, 'GET /me', { headers: bearer(answer.json().accessToken) })
    expect(me.json()).toMatchObject({ user: { email } })
    const log = await server.deps.db.select().from(auditLog).where(eq(auditLog.actorId, publicId))
    expect(log.at(-1)).toMatchObject({
      action: 'session.sign-in',
      after: { factorProof: 'passkey' },
    })
  })

  test('a passkey that only shows that somebody is there does not', async () => {
    const { passkey } = await withPasskey({ verifiesUser: false })

    expect((await signInAlone(passkey)).json()).toMatchObject({ code: 'FACTOR_REFUSED' })
  })

  test('its challenge tells nothing about anybody', async () => {
    await withPasskey()

    const { options } = await beginAlone()

    expect(Object.keys(options).toSorted()).toEqual([
      'challenge',
      'rpId',
      'timeout',
      'userVerification',
    ])
  })

  test('an unknown passkey gets the same answer as one that is used wrongly', async () => {
    const { passkey } = await withPasskey()
    const { signInToken, options } = await beginAlone()

    const unknown = await signInAlone(softwarePasskey(SITE))
    const wrong = await send(signInToken, { ...passkey.use(options.challenge), signature: 'AAAA' })

    expect({ ...unknown.json(), instance: '' }).toEqual({ ...wrong.json(), instance: '' })
  })

  test('a code does not complete a sign-in that has no password', async () => {
    const { signInToken } = await beginAlone()

    const answer = await call(server, 'POST /auth/sign-in/code', {
      payload: { signInToken, code: '123456' },
    })

    expect(answer.json()).toMatchObject({ status: 401, code: 'SIGN_IN_EXPIRED' })
  })

  test('it does not sign in a user who is disabled', async () => {
    const operator = await signedIn(server, 'operator')
    const { publicId, passkey } = await withPasskey()
    await call(server, `PATCH /admin/users/${publicId}`, {
      headers: { ...operator.headers, 'if-match': '"1"' },
      payload: { isActive: false },
    })

    expect((await signInAlone(passkey)).json()).toMatchObject({ status: 401 })
  })
})

describe('adding a passkey', () => {
  const add = (headers: Record<string, string>, credential: object) =>
    call(server, 'POST /me/factors/passkey', {
      headers,
      payload: { name: 'My laptop', credential },
    })
  const challenge = (headers: Record<string, string>) =>
    challengeFrom(server, { path: '/me/factors/passkey-challenge', headers })

  test('the first factor brings recovery codes, whatever its kind', async () => {
    const { headers } = await signedIn(server)

    const answer = await add(headers, softwarePasskey(SITE).create(await challenge(headers)))

    expect(answer.json().factor).toMatchObject({ kind: 'passkey', name: 'My laptop' })
    expect(answer.json().recoveryCodes).toHaveLength(10)
  })

  test('its challenge works once, and belongs to the session that asked', async () => {
    const { email, headers } = await signedIn(server)
    const other = bearer((await signIn(server, email)).json().accessToken)
    const asked = await challenge(headers)

    const elsewhere = await add(other, softwarePasskey(SITE).create(asked))
    const wrong = await add(headers, softwarePasskey(SITE).create('another challenge'))
    const again = await add(headers, softwarePasskey(SITE).create(asked))

    expect(elsewhere.json().code).toBe('FACTOR_SET_UP_EXPIRED')
    expect(wrong.json().code).toBe('FACTOR_REFUSED')
    expect(again.json().code).toBe('FACTOR_SET_UP_EXPIRED')
  })

  test('one that somebody has already is refused', async () => {
    const { passkey } = await withPasskey()
    const { headers } = await signedIn(server)

    const answer = await add(headers, passkey.create(await challenge(headers)))

    expect(answer.json()).toMatchObject({ status: 403, code: 'FACTOR_REFUSED' })
  })

  test('an attestation with certificates is refused before anybody reads them', async () => {
    // fmt: "packed", attStmt: { x5c: [] }
    const attestation = '63666d74667061636b65646761747453746d74a16378356380'
    const made = softwarePasskey(SITE).create('a challenge', attestation)

    const verdict = await judgeCreated(passkeySiteOf(SITE.origin)!, made, 'a challenge')

    expect(verdict).toEqual({ fault: 'attestation with certificates: packed' })
  })
})

test('a passkey is a fresh proof for changing factors', async () => {
  const { headers, passkey } = await withPasskey()
  server.deps.clock.advance(10 * 60 + 1)
  const path = '/me/proof/passkey-challenge'
  const credential = passkey.use(await challengeFrom(server, { path, headers }))

  const stale = await call(server, 'POST /me/recovery-codes', { headers })
  const proof = await call(server, 'POST /me/proof/passkey', { headers, payload: { credential } })
  const fresh = await call(server, 'POST /me/recovery-codes', { headers })

  expect([stale.statusCode, proof.statusCode, fresh.statusCode]).toEqual([403, 204, 200])
})

describe('where passkeys work', () => {
  test('for the host of PUBLIC_URL, and without it for pages of localhost', () => {
    expect(passkeySiteOf(`https://${HOST}/console`)).toMatchObject({ host: HOST })
    expect(passkeySiteOf(`https://${HOST}`)!.isOurs(`https://${HOST}`)).toBe(true)
    expect(passkeySiteOf(`https://${HOST}`)!.isOurs('https://evil.example')).toBe(false)
    expect(passkeySiteOf(undefined)!.isOurs('http://localhost:8080')).toBe(true)
    expect(passkeySiteOf(undefined)!.isOurs('http://localhost.evil.example')).toBe(false)
  })

  test.each(['http://ads.test.example', 'https://192.0.2.1', 'https://[2001:db8::1]:8443'])(
    'not under %s: browsers take none without TLS and a name',
    (publicUrl) => {
      expect(passkeySiteOf(publicUrl)).toBeUndefined()
    },
  )

  test('the sign-in page learns for which host, and elsewhere a passkey is refused with what to do', async () => {
    const connection = server.connection
    const settings = { PUBLIC_URL: 'https://192.0.2.1' }
    const elsewhere = await startServerOn(connection, { settings, deps: server.deps })

    const [options, without] = await Promise.all(
      [server, elsewhere].map((one) => call(one, 'GET /auth/options')),
    )
    const refused = await call(elsewhere, `POST ${CHALLENGE}`, { payload: {} })

    expect(options!.json().passkeyHost).toBe(HOST)
    expect(without!.json().passkeyHost).toBeNull()
    expect(refused.json()).toMatchObject({ status: 409, code: 'PASSKEYS_UNAVAILABLE' })
  })
})
