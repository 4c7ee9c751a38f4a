import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Bucket,
  BURST_DEFAULT,
  createRequestLabeller,
  labelOf,
  type RequestOrigin,
  takeToken,
} from './labels.ts'

const human = {
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  isKnownBot: false,
  isDataCentre: false,
  isBlockedSession: false,
  isBurst: false,
  isVouched: false,
}

describe('a request', () => {
  test.each([
    [{}, 'valid'],
    [{ userAgent: undefined }, 'no-user-agent'],
    [{ userAgent: ' ' }, 'no-user-agent'],
    [{ isKnownBot: true }, 'bot'],
    [{ isDataCentre: true }, 'data-centre'],
    [{ isBlockedSession: true }, 'blocked-session'],
    [{ isBurst: true }, 'burst'],
  ])('with %j is labelled %s', (facts, label) => {
    expect(labelOf({ ...human, ...facts })).toBe(label)
  })

  const labelRequest = createRequestLabeller({
    burst: BURST_DEFAULT,
    dataCentres: ['203.0.113.0/24', '2001:db8::/32'],
    isBlockedSession: (sessionId) => sessionId === 'stolen',
  })
  const origin: RequestOrigin = {
    address: '198.51.100.7',
    userAgent: human.userAgent,
    sessionId: undefined,
    siteKey: 1,
    nowMs: 0,
  }

  test.each([
    [{}, 'valid'],
    [{ userAgent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' }, 'bot'],
    [{ address: '203.0.113.9' }, 'data-centre'],
    [{ address: '2001:db8::9' }, 'data-centre'],
    [{ sessionId: 'stolen' }, 'blocked-session'],
  ])('from %j is labelled %s', (facts, label) => {
    expect(labelRequest({ ...origin, ...facts })).toBe(label)
  })

  test('an address may send 60 events at once to one site, and 20 more each second; other sites count apart', () => {
    const burst = createRequestLabeller({
      burst: BURST_DEFAULT,
      dataCentres: [],
      isBlockedSession: () => false,
    })
    const validOf = (count: number, facts: Partial<RequestOrigin>) =>
      Array.from({ length: count }, () => burst({ ...origin, ...facts })).filter(
        (l) => l === 'valid',
      )

    expect(validOf(100, {})).toHaveLength(60)
    expect(validOf(100, { nowMs: 1_000 })).toHaveLength(20)
    expect(validOf(1, { nowMs: 1_000, siteKey: 2 })).toHaveLength(1)
    expect(validOf(1, { nowMs: 1_000, address: '198.51.100.8' })).toHaveLength(1)
  })
})

test('a bucket never gives more than its size and its rate allow', () => {
  const steps = fc.array(fc.nat(300), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(steps, (waits) => {
      let bucket: Bucket | undefined
      let nowMs = 0
      let taken = 0
      for (const wait of waits) {
        nowMs += wait
        const result = takeToken(bucket, { perSecond: 20, burst: 5 }, nowMs)
        bucket = result.bucket
        taken += Number(result.isTaken)
      }

      expect(taken).toBeLessThanOrEqual(5 + ((nowMs - waits[0]!) / 1_000) * 20 + 1e-6)
    }),
  )
})
