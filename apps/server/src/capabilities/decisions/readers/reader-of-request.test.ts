import { ALLOWED, createConsentReader } from '../../consent/index.ts'
import { DAY_SECONDS } from '@placard/calendar'
import { EncryptJWT, jwtDecrypt } from 'jose'
import { describe, expect, test } from 'vitest'
import { fixedClock } from '../../../testing/fixed.ts'
import { openCountries } from '../../../platform/geo-ip/countries.ts'
import type { ReaderRequest } from './reader.ts'
import { createReaders } from './reader-of-request.ts'
import type { ReaderFields } from './reader.ts'
import { deriveKey } from './reader-key.ts'
import { createReaderMemory } from './reader-memory.ts'

const PHONE =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/124.0.0.0 Mobile Safari/537.36'
const geo = await openCountries()

const SECRET = 'a secret of the tests, long enough'

function world(secret = SECRET) {
  const clock = fixedClock()
  const known = createReaderMemory()
  const readers = createReaders({
    secret,
    clock,
    geo,
    known,
    readConsent: createConsentReader(),
  })
  return {
    clock,
    readers,
    /** As if the publisher's server had said so. */
    say: (userId: string, segments: readonly string[], publisherKey = GAZETTE) => {
      const userKey = readers.userKeyOf(userId, publisherKey)
      known.put({ userKey, publisherKey, segments, purchasedAtMs: undefined })
    },
    buys: (userId: string, daysAgo: number) => {
      const userKey = readers.userKeyOf(userId, GAZETTE)
      const purchasedAtMs = clock.now().getTime() - daysAgo * DAY_SECONDS * 1_000
      known.put({ userKey, publisherKey: GAZETTE, segments: [], purchasedAtMs })
    },
  }
}

const browser: ReaderRequest = {
  ip: '46.4.96.137',
  headers: {
    'user-agent': PHONE,
    'accept-language': 'de-AT,de;q=0.9',
    referer: 'https://www.daily.example/sport',
  },
}
const server: ReaderRequest = { ip: '8.8.8.8', headers: {} }
const GAZETTE = 1
const TRIBUNE = 2
const TRUSTED = { publisherKey: GAZETTE, isTrusted: true }
const NO_ACCOUNT = { publisherKey: GAZETTE, isTrusted: false }

const CLAIMS: Pick<ReaderFields, 'context'> = {
  context: { country: 'FR', loggedIn: true, segments: ['vip'], deviceSessionId: 'd-1' },
}

describe('a browser', () => {
  test("a browser's reader is taken from its request alone", () => {
    const { readers } = world()

    expect(readers.readerOf(browser, NO_ACCOUNT)).toEqual({
      context: {
        device: 'mobile',
        country: 'DE',
        language: 'de-at',
        referrerDomain: 'daily.example',
      },
      userKey: undefined,
      permissions: expect.objectContaining(ALLOWED),
      publisherKey: GAZETTE,
      deviceSessionId: undefined,
      holder: { number: expect.any(Number) as number, isVouched: false },
    })
  })

  test('its holds are bounded by its address, of IPv6 by its network, whatever id it claims', () => {
    const { readers } = world()
    const holderAt = (ip: string, userId?: string) =>
      readers.readerOf({ ...browser, ip }, { ...NO_ACCOUNT, userId }).holder

    expect(holderAt('203.0.113.7', 'u1')).toEqual(holderAt('203.0.113.7', 'u2'))
    expect(holderAt('203.0.113.7')).not.toEqual(holderAt('203.0.113.8'))
    expect(holderAt('2001:db8:1:1::1')).toEqual(holderAt('2001:db8:1:1::2'))
    expect(
      world('another secret, long enough').readers.readerOf(browser, NO_ACCOUNT).holder,
    ).not.toEqual(readers.readerOf(browser, NO_ACCOUNT).holder)
  })

  test('a key lifts the bound, a context token vouches for its user', async () => {
    const { readers } = world()
    const statement = { publisherKey: GAZETTE, said: {} }
    const [first, second] = await Promise.all(
      ['u1', 'u2'].map((userId) => readers.issueToken({ ...statement, userId }, 60)),
    )
    const holderWith = (contextToken: string) =>
      readers.readerOf(browser, { ...NO_ACCOUNT, contextToken }).holder

    expect(readers.readerOf(browser, { ...NO_ACCOUNT, isTrusted: true }).holder).toBeUndefined()
    expect(holderWith(first!.token)).toMatchObject({ isVouched: true })
    expect(holderWith(first!.token)).not.toEqual(holderWith(second!.token))
    expect(holderWith('forged')).toMatchObject({ isVouched: false })
  })

  test('what a browser claims about its reader changes nothing', () => {
    const { readers } = world()

    expect(readers.readerOf(browser, { ...CLAIMS, ...NO_ACCOUNT })).toEqual(
      readers.readerOf(browser, NO_ACCOUNT),
    )
  })

  test('a browser may state its language and its referrer', () => {
    const { readers } = world()

    const named = readers.readerOf(browser, {
      ...NO_ACCOUNT,
      language: 'fr',
      referrer: 'https://search.example/',
    })
    const direct = readers.readerOf(browser, { ...NO_ACCOUNT, referrer: '' })

    expect(named).toMatchObject({ context: { language: 'fr', referrerDomain: 'search.example' } })
    expect(direct).toMatchObject({ context: { referrerDomain: undefined } })
  })

  test.each([
    '10.0.0.7',
    '192.168.1.1',
    '127.0.0.1',
    '::1',
    'fd00::7',
    '::ffff:192.168.1.1',
    'fe80::1%eth0',
    'nonsense',
    '',
  ])('from %s is in no country', (ip) => {
    const { readers } = world()

    expect(readers.readerOf({ ...browser, ip }, NO_ACCOUNT)).toMatchObject({
      context: { country: undefined },
    })
  })

  test('an IPv4-mapped IPv6 address is located like the IPv4 address', () => {
    const { readers } = world()

    expect(readers.readerOf({ ...browser, ip: '::ffff:46.4.96.137' }, NO_ACCOUNT)).toMatchObject({
      context: { country: 'DE' },
    })
  })
})

describe('a server with a key', () => {
  test('a server with a key speaks for its reader, and its own address is ignored', () => {
    const { readers } = world()

    expect(readers.readerOf(server, TRUSTED)).not.toHaveProperty('context.country')
    expect(readers.readerOf(server, { ...CLAIMS, ...TRUSTED })).toMatchObject({
      context: { country: 'FR', loggedIn: true, segments: ['vip'] },
      deviceSessionId: 'd-1',
    })
    const context = { ip: '46.4.96.137', userAgent: PHONE }
    expect(readers.readerOf(server, { ...TRUSTED, context })).toMatchObject({
      context: { country: 'DE', device: 'mobile' },
    })
  })
})

describe('the user key', () => {
  test('a user key is stable, differs between users and does not show the id', () => {
    const { readers } = world()
    const keyOf = (userId: string) => readers.userKeyOf(userId, GAZETTE)

    expect(keyOf('user-1')).toBe(keyOf('user-1'))
    expect(keyOf('user-1')).not.toBe(keyOf('user-2'))
    expect(keyOf('user-1')).toMatch(/^[\w-]{22}$/)
    expect(keyOf('4B7C0F0E-5D0F-4F0A-9D7E-0F6F3C1F2A11')).toBe(
      keyOf('4b7c0f0e-5d0f-4f0a-9d7e-0f6f3c1f2a11'),
    )
  })

  test('a user key depends on the secret', () => {
    const other = world('another secret of the tests, long enough')

    expect(other.readers.userKeyOf('user-1', GAZETTE)).not.toBe(
      world().readers.userKeyOf('user-1', GAZETTE),
    )
  })

  test.each([
    ['Sec-GPC', { 'sec-gpc': '1' }, {}],
    ['DNT', { dnt: '1' }, {}],
    ['a flag that was refused', {}, { consent: { storage: false } }],
  ])('does not exist with %s, nor do the segments under it', (_, headers, given) => {
    const { readers, say } = world()
    say('user-1', ['vip'])

    const reader = readers.readerOf(
      { ...browser, headers },
      { ...NO_ACCOUNT, userId: 'user-1', ...given },
    )

    expect(reader).toMatchObject({ userKey: undefined })
    expect(reader).not.toHaveProperty('context.segments')
  })
})

test('segments that a server stored for a user count for a browser that names the user', () => {
  const { readers, say } = world()
  say('user-1', ['vip'])

  const reader = readers.readerOf(browser, { ...NO_ACCOUNT, userId: 'user-1' })

  expect(reader).toMatchObject({
    userKey: readers.userKeyOf('user-1', GAZETTE),
    context: { device: 'mobile', segments: ['vip'] },
  })
})

const issue = ({ readers }: ReturnType<typeof world>, lifeSeconds = 900) =>
  readers.issueToken(
    {
      publisherKey: GAZETTE,
      userId: 'user-1',
      said: { loggedIn: true, segments: ['vip'], deviceSessionId: 'd-1' },
    },
    lifeSeconds,
  )

describe('a context token', () => {
  test('a context token lets a browser carry what a server said', async () => {
    const it = world()
    const { token } = await issue(it)

    const reader = it.readers.readerOf(browser, {
      ...NO_ACCOUNT,
      contextToken: token,
      userId: 'somebody',
    })

    expect(reader).toMatchObject({
      userKey: it.readers.userKeyOf('user-1', GAZETTE),
      context: { country: 'DE', loggedIn: true, segments: ['vip'] },
      deviceSessionId: 'd-1',
    })
  })

  test('a context token does not show the page what it says', async () => {
    const { token } = await issue(world())

    const readable = token.split('.').map((part) => Buffer.from(part, 'base64url').toString())
    expect(readable.join(' ')).not.toMatch(/vip|user|loggedIn|d-1/)
  })

  test('a context token is a standard JWE: another library opens it too', async () => {
    const it = world()
    const { token } = await issue(it)

    const { payload } = await jwtDecrypt(token, deriveKey(SECRET, 'context token'), {
      currentDate: it.clock.now(),
      audience: 'placard-context',
    })

    expect(payload).toMatchObject({ userKey: it.readers.userKeyOf('user-1', GAZETTE) })
  })

  test('a token made for something else is not believed', async () => {
    const { readers } = world()
    const token = await new EncryptJWT({ said: { loggedIn: true } })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setAudience('placard')
      .setExpirationTime('1h')
      .encrypt(deriveKey(SECRET, 'context token'))

    const reader = readers.readerOf(browser, { ...NO_ACCOUNT, contextToken: token })

    expect(reader.context.loggedIn).toBeUndefined()
  })

  test('a context token expires on time, cached or not, and after 15 minutes at the latest', async () => {
    const it = world()
    const short = await issue(it, 60)
    const long = await issue(it, DAY_SECONDS)
    const isBelieved = (token: string) =>
      it.readers.readerOf(browser, { ...NO_ACCOUNT, contextToken: token }).context.loggedIn === true

    expect(isBelieved(short.token)).toBe(true)
    it.clock.advance(61)
    expect(isBelieved(short.token)).toBe(false)
    expect(isBelieved(long.token)).toBe(true)
    it.clock.advance(840)
    expect(isBelieved(long.token)).toBe(false)
    expect(long.expiresAt.toISOString()).toBe('2026-06-15T12:15:00.000Z')
  })

  test.each([
    ['of another installation', async () => (await issue(world('x'.repeat(40)))).token],
    ['that was changed', async () => `${(await issue(world())).token.slice(0, -4)}AAAA`],
    ['that is none', async () => 'a.b.c.d.e'],
    ['without end', async () => 'x'.repeat(100_000)],
  ])('%s is ignored, and the reader still gets an ad', async (_, tokenOf) => {
    const { readers } = world()

    const reader = readers.readerOf(browser, { ...NO_ACCOUNT, contextToken: await tokenOf() })

    expect(reader).toEqual(readers.readerOf(browser, NO_ACCOUNT))
  })
})

test('segments, purchases and visits of a reader who refused personalisation are not used', () => {
  const { readers } = world()
  const consent = { storage: true, personalisation: false }
  const context = { segments: ['vip'], lastPurchaseDaysAgo: 3, newVisitor: false, country: 'DE' }

  const reader = readers.readerOf(server, { ...TRUSTED, context, consent })

  expect(reader.context).toEqual({ country: 'DE' })
})

test('what one publisher said of an id is not said of the same id of another', () => {
  const { readers, say } = world()
  say('user-1', ['vip'])
  const readerAt = (publisherKey: number) =>
    readers.readerOf(browser, { publisherKey, isTrusted: false, userId: 'user-1' })

  expect(readerAt(GAZETTE).context.segments).toEqual(['vip'])
  expect(readerAt(TRIBUNE).context.segments).toBeUndefined()
  expect(readerAt(TRIBUNE).userKey).not.toBe(readerAt(GAZETTE).userKey)
  expect(readers.userKeysOf('user-1', [TRIBUNE, GAZETTE])).toEqual([
    readerAt(TRIBUNE).userKey,
    readerAt(GAZETTE).userKey,
  ])
})

test('a context token is believed for the placements of its publisher only', async () => {
  const it = world()
  const { token } = await issue(it)

  const reader = it.readers.readerOf(browser, {
    publisherKey: TRIBUNE,
    isTrusted: false,
    contextToken: token,
  })

  expect(reader).toMatchObject({ userKey: undefined, deviceSessionId: undefined })
  expect(reader.context.segments).toBeUndefined()
})

test('how long ago a reader bought is counted in whole days, and what the server says wins', () => {
  const { readers, buys } = world()
  buys('user-1', 3.9)
  const daysAgo = (given: Partial<ReaderFields>) =>
    readers.readerOf(server, { ...NO_ACCOUNT, userId: 'user-1', ...given }).context
      .lastPurchaseDaysAgo

  expect(daysAgo({})).toBe(3)
  expect(daysAgo({ isTrusted: true, context: { lastPurchaseDaysAgo: 30 } })).toBe(30)
  expect(daysAgo({ publisherKey: TRIBUNE })).toBeUndefined()
})
