import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Bucket, judgeClick, judgeSender, takeToken } from './quality.ts'
import { BURST_DEFAULT, createSenderJudge, type Sender } from './sender.ts'

const human = {
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  isKnownBot: false,
  isDataCentre: false,
  isBlockedSession: false,
  isBurst: false,
}

describe('a sender', () => {
  test.each([
    [{}, 'valid'],
    [{ userAgent: undefined }, 'no-user-agent'],
    [{ userAgent: ' ' }, 'no-user-agent'],
    [{ isKnownBot: true }, 'bot'],
    [{ isDataCentre: true }, 'data-centre'],
    [{ isBlockedSession: true }, 'blocked-session'],
    [{ isBurst: true }, 'burst'],
  ])('with %j is %s', (facts, label) => {
    expect(judgeSender({ ...human, ...facts })).toBe(label)
  })

  const judge = createSenderJudge({
    burst: BURST_DEFAULT,
    dataCentres: ['203.0.113.0/24', '2001:db8::/32'],
    isBlockedSession: (sessionId) => sessionId === 'stolen',
  })
  const sender: Sender = {
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
  ])('that shows %j is %s', (facts, label) => {
    expect(judge({ ...sender, ...facts })).toBe(label)
  })

  test('may send 60 at once to one site and 20 more each second; other sites have their own', () => {
    const burst = createSenderJudge({
      burst: BURST_DEFAULT,
      dataCentres: [],
      isBlockedSession: () => false,
    })
    const validOf = (count: number, facts: Partial<Sender>) =>
      Array.from({ length: count }, () => burst({ ...sender, ...facts })).filter(
        (l) => l === 'valid',
      )

    expect(validOf(100, {})).toHaveLength(60)
    expect(validOf(100, { nowMs: 1_000 })).toHaveLength(20)
    expect(validOf(1, { nowMs: 1_000, siteKey: 2 })).toHaveLength(1)
    expect(validOf(1, { nowMs: 1_000, address: '198.51.100.8' })).toHaveLength(1)
  })
})

test.each([
  [undefined, 'no-impression'],
  [0, 'valid'],
  [1, 'too-fast'],
  [200, 'too-fast'],
])('a click at 100 ms after an impression at %s ms is %s', (impressionAtMs, label) => {
  expect(judgeClick(100, impressionAtMs)).toBe(label)
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
