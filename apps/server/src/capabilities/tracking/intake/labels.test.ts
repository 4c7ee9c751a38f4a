import { describe, expect, test } from 'vitest'
import { createRequestLabeller, labelOf, type RateLimits, type RequestOrigin } from './labels.ts'
import { parseLimits } from '../rates/limits.ts'

const human = {
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  isVouched: false,
  isPrefetch: false,
  isKnownBot: false,
  isDataCentre: false,
  isBlockedSession: false,
  isWrongSite: false,
  isTooEarly: false,
  isBurst: false,
}

const origin: RequestOrigin = {
  kind: 'impression',
  address: '198.51.100.7',
  userAgent: human.userAgent,
  sessionId: undefined,
  siteKey: 1,
  nowMs: Date.UTC(2026, 5, 15),
}
const LIMITS: RateLimits = {
  reader: parseLimits('60,200,2000,10000'),
  device: parseLimits('60,200,2000,10000'),
  address: parseLimits('100,300,6000,60000'),
  site: parseLimits('20000,100000,3000000,50000000'),
}
const labeller = (limits: Partial<RateLimits> = {}) =>
  createRequestLabeller({
    limits: { ...LIMITS, ...limits },
    isDataCentre: (address) => address.startsWith('203.0.113.'),
    isBlockedSession: (sessionId) => sessionId === 'stolen',
  })

describe('a request', () => {
  test.each([
    [{}, 'valid'],
    [{ userAgent: undefined }, 'no-user-agent'],
    [{ userAgent: ' ' }, 'no-user-agent'],
    [{ userAgent: undefined, isVouched: true }, 'valid'],
    [{ isVouched: true, isKnownBot: true }, 'bot'],
    [{ isPrefetch: true }, 'prefetch'],
    [{ isKnownBot: true }, 'bot'],
    [{ isDataCentre: true }, 'data-centre'],
    [{ isBlockedSession: true }, 'blocked-session'],
    [{ isWrongSite: true }, 'wrong-site'],
    [{ isTooEarly: true }, 'impossible-time'],
    [{ isBurst: true }, 'burst'],
  ])('with %j is labelled %s', (facts, label) => {
    expect(labelOf({ ...human, ...facts })).toBe(label)
  })

  test.each([
    [{}, 'valid'],
    [{ userAgent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' }, 'bot'],
    [{ userAgent: 'okhttp/4.12.0' }, 'bot'],
    [{ userAgent: undefined, address: undefined, isVouched: true }, 'valid'],
    [{ address: '203.0.113.9' }, 'data-centre'],
    [{ purpose: 'prefetch;prerender' }, 'prefetch'],
    [{ sessionId: 'stolen' }, 'blocked-session'],
  ])('from %j is labelled %s', (facts, label) => {
    expect(labeller()({ ...origin, ...facts })).toBe(label)
  })
})

describe('by rate', () => {
  const validOf = (
    label: (origin: RequestOrigin) => string,
    count: number,
    factsOf: (n: number) => Partial<RequestOrigin>,
  ) =>
    Array.from({ length: count }, (_, n) => label({ ...origin, ...factsOf(n) })).filter(
      (found) => found === 'valid',
    ).length

  test('of 168 impressions in 12 s from one address not all are valid', () => {
    const valid = validOf(labeller(), 168, (n) => ({ nowMs: origin.nowMs + n * 71 }))

    expect(valid).toBeGreaterThan(0)
    expect(valid).toBeLessThanOrEqual(120)
  })

  test.each<[keyof RateLimits, (n: number) => Partial<RequestOrigin>]>([
    ['reader', (n) => ({ userKey: 'u', address: `198.51.100.${n}`, siteKey: n })],
    ['device', (n) => ({ sessionId: 's', address: `198.51.100.${n}`, siteKey: n })],
    ['address', (n) => ({ siteKey: n })],
    ['address', (n) => ({ siteKey: n, address: `2001:db8:1:2::${n.toString(16)}` })],
    ['site', (n) => ({ address: `198.51.100.${n}` })],
  ])('a %s may send so much and no more, whoever else it is', (dimension, factsOf) => {
    const label = labeller({ [dimension]: [5, 1_000, 1_000, 1_000] })

    expect(validOf(label, 20, factsOf)).toBe(5)
  })

  test('clicks have a fifth of the impressions’ limit, and do not use it up', () => {
    const label = labeller({ address: [50, 1_000, 1_000, 1_000] })

    expect(validOf(label, 20, () => ({ kind: 'click' }))).toBe(10)
    expect(validOf(label, 60, () => ({}))).toBe(50)
  })
})
