import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { systemRandom } from '../../../platform/random.ts'
import { type Claims, TOKEN_KINDS, WINNER_SOURCES } from './claims.ts'
import { parseKeyRing } from './key-ring.ts'
import { createSealer, type Purpose } from './token.ts'

const OLD = '1:an old secret that is long enough to be one'
const NEW = '2:a new secret that is long enough to be one'
const sealerWith = (keys: string) =>
  createSealer(parseKeyRing(keys.replaceAll(' ', '-')), systemRandom)
const sealer = sealerWith(NEW)

const ISSUED_AT = Date.parse('2026-06-15T12:00:00Z')
const HOUR_MS = 3_600_000
const aClaim: Claims = {
  kind: 'impression',
  decisionId: '0197734c-1a00-7abc-8def-0123456789ab',
  position: 0,
  utcDay: 20_619,
  budgetDay: 20_620,
  winner: { source: 'ad', key: 7, bannerKey: 8, campaignKey: 9, advertiserKey: 10 },
  placementKey: 11,
  siteKey: 12,
  userKey: 'AbCdEfGhIjKlMnOpQrStUv',
  pricing: 'cpm',
  chargeMicros: 2_500_000,
  reservationId: 'r-1',
  holdId: 'h-1',
  issuedAtMs: ISSUED_AT,
}

const key = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
const number = fc.nat({ max: Number.MAX_SAFE_INTEGER })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const anyClaims: fc.Arbitrary<Claims> = fc.record({
  kind: fc.constantFrom(...TOKEN_KINDS),
  decisionId: fc.uuid(),
  position: fc.nat(500),
  utcDay: fc.nat(60_000),
  budgetDay: fc.nat(60_000),
  winner: fc.record({
    source: fc.constantFrom(...WINNER_SOURCES),
    key,
    bannerKey: key,
    campaignKey: maybe(key),
    advertiserKey: key,
  }),
  placementKey: maybe(key),
  siteKey: maybe(key),
  userKey: maybe(fc.stringMatching(/^[\w-]{22}$/)),
  deviceSessionId: maybe(fc.uuid()),
  isFromPage: fc.constantFrom(true, undefined),
  pageKey: maybe(fc.stringMatching(/^[0-9a-f]{16}$/)),
  pricing: fc.constantFrom('cpm', 'cpc'),
  chargeMicros: number,
  reservationId: maybe(fc.stringMatching(/^[\w-]{1,20}$/)),
  holdId: maybe(fc.stringMatching(/^[\w-]{1,20}$/)),
  issuedAtMs: number,
})

const open = (token: string, purpose: Purpose = 'impression', nowMs = ISSUED_AT) =>
  sealer.open(token, { purpose, nowMs })

test('the operator can shorten the time for which links are billed', () => {
  const lives = { impressionHours: 2, clickDays: 1 }
  const strict = createSealer(parseKeyRing(`1:${'s'.repeat(40)}`), systemRandom, lives)
  const verdictAfter = (purpose: Purpose, hours: number) =>
    strict.open(strict.seal({ ...aClaim, kind: 'event' }), {
      purpose,
      nowMs: aClaim.issuedAtMs + hours * 3_600_000,
    }).verdict

  expect([verdictAfter('impression', 2), verdictAfter('impression', 2.1)]).toEqual([
    'good',
    'expired',
  ])
  expect([verdictAfter('click', 24), verdictAfter('click', 24.1)]).toEqual(['good', 'expired'])
})

describe('a sealed link', () => {
  test('an opened link says exactly what was sealed into it', () => {
    fc.assert(
      fc.property(anyClaims, (claims) => {
        const opened = sealer.open(sealer.seal(claims), { purpose: 'view', nowMs: 0 })

        expect(opened).toHaveProperty('claims', claims)
      }),
    )
  })

  test('a link with any bit flipped does not open', () => {
    const sealed = Buffer.from(sealer.seal(aClaim), 'base64url')

    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const flipped = Buffer.from(sealed)
      flipped[bit >> 3]! ^= 1 << (bit & 7)
      expect(open(flipped.toString('base64url')), `bit ${bit}`).toEqual({ verdict: 'forged' })
    }
  })

  test('a link has exactly one spelling', () => {
    const token = sealer.seal(aClaim)

    const others = [`${token}=`, `${token} `, ` ${token}`, token.slice(0, -1), `${token}A`, '', 'x']

    expect(others.map((other) => open(other).verdict)).toEqual(others.map(() => 'forged'))
  })

  test.each([20, 21, 22])(
    'has one spelling, whatever its length: %d characters of user',
    (length) => {
      const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/='.split('')
      for (let i = 0; i < 20; i++) {
        const token = sealer.seal({ ...aClaim, userKey: 'u'.repeat(length) })
        const endings = last.map((character) => token.slice(0, -1) + character)
        const plain = token.replaceAll('-', '+').replaceAll('_', '/')

        const good = new Set([...endings, plain].filter((other) => open(other).verdict === 'good'))
        expect([...good]).toEqual([token])
      }
    },
  )

  test('a link does not show its claims, and never looks the same twice', () => {
    const [one, two] = [sealer.seal(aClaim), sealer.seal(aClaim)]

    expect(one).not.toBe(two)
    expect(Buffer.from(one, 'base64url').includes(aClaim.userKey!)).toBe(false)
  })

  test('the longest link fits into an address', () => {
    fc.assert(
      fc.property(anyClaims, (claims) => {
        expect(sealer.seal(claims).length).toBeLessThanOrEqual(288)
      }),
    )
  })

  test('claims that do not fit into an address cannot be sealed', () => {
    expect(() => sealer.seal({ ...aClaim, chargeMicros: -1 })).toThrow('-1 fits no link')
    expect(() => sealer.seal({ ...aClaim, chargeMicros: 0.5 })).toThrow('0.5 fits no link')
    expect(() => sealer.seal({ ...aClaim, userKey: 'u'.repeat(65) })).toThrow('fits no link')
    expect(() => sealer.seal({ ...aClaim, decisionId: 'nobody' })).toThrow('is no uuid')
    const long = 'x'.repeat(64)
    expect(() =>
      sealer.seal({ ...aClaim, userKey: long, holdId: long, reservationId: long }),
    ).toThrow('bytes')
  })
})

describe('what a link is valid for', () => {
  test.each([
    ['impression', 'impression', 'good'],
    ['impression', 'view', 'good'],
    ['impression', 'click', 'other-kind'],
    ['impression', 'named-click', 'good'],
    ['impression', 'conversion', 'other-kind'],
    ['click', 'impression', 'other-kind'],
    ['click', 'view', 'other-kind'],
    ['click', 'click', 'good'],
    ['click', 'conversion', 'other-kind'],
    ['event', 'conversion', 'other-kind'],
    ['conversion', 'conversion', 'good'],
    ['conversion', 'click', 'other-kind'],
    ['event', 'impression', 'good'],
    ['event', 'click', 'good'],
  ] as const)('an %s link is, for a %s, %s', (kind, purpose, verdict) => {
    expect(open(sealer.seal({ ...aClaim, kind }), purpose).verdict).toBe(verdict)
  })

  test.each([
    ['impression', 24],
    ['view', 24],
    ['click', 30 * 24],
    ['conversion', 30 * 24],
  ] as const)('for a %s it lives %d hours, to the millisecond', (purpose, hours) => {
    const kind = purpose === 'conversion' ? 'conversion' : 'event'
    const token = sealer.seal({ ...aClaim, kind })
    const end = ISSUED_AT + hours * HOUR_MS

    expect(open(token, purpose, end).verdict).toBe('good')
    expect(open(token, purpose, end + 1)).toMatchObject({
      verdict: 'expired',
      claims: { position: 0 },
    })
  })
})

describe('the key ring', () => {
  test('links sealed with an older key open until that key is removed', () => {
    const token = sealerWith(OLD).seal(aClaim)
    const use = { purpose: 'impression', nowMs: ISSUED_AT } as const

    expect(sealerWith(`${NEW},${OLD}`).open(token, use).verdict).toBe('good')
    expect(sealerWith(NEW).open(token, use).verdict).toBe('forged')
  })

  test('links sealed by releases before node:crypto still open', () => {
    const served =
      'AQE-gK3fIQGQ4gAAAAAG8DEmcriot6rG1CmPLTkz9MFF5PXfgU_--LDYMmCrj_7KUEcG65IuH1ZR8W8cpQzHx0-rj7cyic2GwsT_iYCQxq-AKZHBvUvsGfep94E9l3_8EuOTlJo'

    expect(sealerWith(OLD).open(served, { purpose: 'impression', nowMs: ISSUED_AT })).toEqual({
      verdict: 'good',
      claims: { ...aClaim, kind: 'event' },
    })
  })

  test('a key is rotated in two steps: each node opens the links of nodes one step ahead or behind', () => {
    const before = sealerWith(OLD)
    const accepting = sealerWith(`${OLD},${NEW}`)
    const sealing = sealerWith(`${NEW},${OLD}`)
    const after = sealerWith(NEW)
    const use = { purpose: 'impression', nowMs: ISSUED_AT } as const
    const verdict = (by: typeof sealer, of: typeof sealer) => by.open(of.seal(aClaim), use).verdict

    expect([verdict(before, accepting), verdict(accepting, before)]).toEqual(['good', 'good'])
    expect([verdict(accepting, sealing), verdict(sealing, accepting)]).toEqual(['good', 'good'])
    expect([verdict(sealing, after), verdict(after, sealing)]).toEqual(['good', 'good'])
    expect(verdict(before, sealing), 'why one step is not enough').toBe('forged')
  })

  test('the first key seals, the others only open', () => {
    const token = sealerWith(`${NEW},${OLD}`).seal(aClaim)

    expect(open(token).verdict).toBe('good')
  })

  test.each([
    ['', 'at least one key'],
    ['secret-without-a-number-but-long-enough', 'is written'],
    ['256:secret-with-a-number-beyond-the-byte-it-has', 'is written'],
    ['1:short', 'shorter than 32'],
    [`1:${'a'.repeat(32)},1:${'b'.repeat(32)}`, 'two keys'],
  ])('"%s" is refused', (text, reason) => {
    expect(() => parseKeyRing(text)).toThrow(reason)
  })
})
