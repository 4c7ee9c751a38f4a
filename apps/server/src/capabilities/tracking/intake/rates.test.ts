import { DAY_MS, HOUR_MS, MINUTE_MS } from '@placard/calendar'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clicksOf, type Limits, parseLimits, Rates } from './rates.ts'

const START = Date.UTC(2026, 5, 15)
const MANY = 1_000_000

test.each([
  [[3, MANY, MANY, MANY], 10_000],
  [[MANY, 3, MANY, MANY], MINUTE_MS],
  [[MANY, MANY, 3, MANY], HOUR_MS],
  [[MANY, MANY, MANY, 3], DAY_MS],
] as const)(
  'of limits %j the fourth event in %d ms is too many, and after two such times none',
  (limits, ms) => {
    const rates = new Rates()
    const come = (atMs: number) => rates.isTooMany('a', limits, atMs)

    expect([0, 1, 2, 3].map((n) => come(START + n))).toEqual([false, false, false, true])
    expect(come(START + 2 * ms)).toBe(false)
  },
)

test('one sender does not use up another sender’s limit', () => {
  const rates = new Rates()
  const limits: Limits = [1, MANY, MANY, MANY]

  expect(rates.isTooMany('a', limits, START)).toBe(false)
  expect(rates.isTooMany('b', limits, START)).toBe(false)
  expect(rates.isTooMany('a', limits, START)).toBe(true)
})

test('a window slides: no ten seconds ever let more than twice the limit through', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 200 }), (offsets) => {
      const rates = new Rates()
      const passed = offsets
        .toSorted((a, b) => a - b)
        .filter((ms) => !rates.isTooMany('a', [5, MANY, MANY, MANY], START + ms))
      for (const from of passed) {
        expect(passed.filter((ms) => ms >= from && ms < from + 10_000).length).toBeLessThanOrEqual(
          10,
        )
      }
    }),
  )
})

test('memory is bounded: the sender that was quiet longest is dropped', () => {
  const rates = new Rates(2)
  const limits: Limits = [1, MANY, MANY, MANY]

  for (const sender of ['a', 'b', 'c']) rates.isTooMany(sender, limits, START)

  expect(rates.isTooMany('c', limits, START)).toBe(true)
  expect(rates.isTooMany('a', limits, START)).toBe(false)
})

test('limits come from a setting; clicks get a fifth of them, at least three', () => {
  expect(parseLimits('40,120,1000,5000')).toEqual([40, 120, 1_000, 5_000])
  expect(clicksOf([10, 120, 1_000, 5_000])).toEqual([3, 24, 200, 1_000])
})
