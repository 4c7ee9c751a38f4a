import { DAY_MS, HOUR_MS, MINUTE_MS } from '@placard/calendar'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Limits } from './limits.ts'
import type { Rates } from './rates.ts'

export const START = Date.UTC(2026, 5, 15)
export const MANY = 1_000_000

/** Rates that have counted nothing yet. */
export type OpenRates = (sendersMax?: number) => Rates

/** What every adapter of the rates port must do. Each adapter's test runs this one suite. */
export function ratesContract(adapter: string, open: OpenRates): void {
  for (const [group, rules] of Object.entries({ windowRules, senderRules })) {
    describe(`${adapter}: ${group}`, () => {
      rules(open)
    })
  }
}

function windowRules(open: OpenRates): void {
  test.each([
    [[3, MANY, MANY, MANY], 10_000],
    [[MANY, 3, MANY, MANY], MINUTE_MS],
    [[MANY, MANY, 3, MANY], HOUR_MS],
    [[MANY, MANY, MANY, 3], DAY_MS],
  ] as const)(
    'of limits %j the fourth event in %d ms is too many, and after two such times none',
    (limits, ms) => {
      const rates = open()
      const come = (atMs: number) => rates.isTooMany('a', limits, atMs)

      expect([0, 1, 2, 3].map((n) => come(START + n))).toEqual([false, false, false, true])
      expect(come(START + 2 * ms)).toBe(false)
    },
  )

  test('a window slides: no ten seconds ever let more than twice the limit through', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 200 }), (offsets) => {
        const rates = open()
        const passed = offsets
          .toSorted((a, b) => a - b)
          .filter((ms) => !rates.isTooMany('a', [5, MANY, MANY, MANY], START + ms))
        for (const from of passed) {
          const within = passed.filter((ms) => ms >= from && ms < from + 10_000)
          expect(within.length).toBeLessThanOrEqual(10)
        }
      }),
    )
  })
}

function senderRules(open: OpenRates): void {
  const limits: Limits = [1, MANY, MANY, MANY]

  test('one sender does not use up another sender’s limit', () => {
    const rates = open()

    expect(rates.isTooMany('a', limits, START)).toBe(false)
    expect(rates.isTooMany('b', limits, START)).toBe(false)
    expect(rates.isTooMany('a', limits, START)).toBe(true)
  })

  test('memory is bounded: the sender that was quiet longest is dropped', () => {
    const rates = open(2)

    for (const sender of ['a', 'b', 'c']) rates.isTooMany(sender, limits, START)

    expect(rates.isTooMany('c', limits, START)).toBe(true)
    expect(rates.isTooMany('a', limits, START)).toBe(false)
  })
}
