import { assert, boolean, double, integer, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  assertMicros,
  cpmOf,
  effectiveBid,
  NO_SECOND,
  type PricedBid,
  priceOf,
  baseScoreOf,
} from './price.ts'

const RUNS = { numRuns: 2_000, seed: 7 }
const bids = { min: 1, max: 100_000_000 }
const rates = { min: 0.0001, max: 0.5, noNaN: true }
const shares = { min: 0, max: 1, noNaN: true }
const qualities = { min: 0.1, max: 3, noNaN: true }

interface Drawn {
  readonly isCpc: boolean
  readonly bidMicros: number
  readonly ctr: number
  readonly quality: number
}

function pricedBid({ isCpc, bidMicros, ctr, quality }: Drawn): PricedBid {
  const worth = baseScoreOf({ pricing: isCpc ? 'cpc' : 'cpm', micros: bidMicros, quality })
  const score = isCpc ? worth * ctr : worth
  return { isCpc, effectiveBidMicros: bidMicros, ctr, score }
}

const winner = (isCpc: boolean, bidMicros: number, ctr: number) =>
  pricedBid({ isCpc, bidMicros, ctr, quality: 1 })

describe('the price of a win', () => {
  test('is at most the bid and at least the floor in the unit of the bid', () => {
    const holds = property(
      record({
        isCpc: boolean(),
        bidMicros: integer(bids),
        ctr: double(rates),
        quality: double(qualities),
        secondShare: double(shares),
        floor: integer({ min: 0, max: 50_000_000 }),
      }),
      ({ secondShare, floor, ...drawn }) => {
        const { isCpc, bidMicros, ctr } = drawn
        const bid = pricedBid(drawn)
        if (cpmOf(bid) < floor) return
        for (const second of [NO_SECOND, bid.score * secondShare]) {
          const { chargeMicros, finalPriceMicros } = priceOf(bid, second, floor)
          expect(Number.isSafeInteger(chargeMicros)).toBe(true)
          expect(chargeMicros).toBeLessThanOrEqual(bidMicros)
          const chargedCpm = isCpc ? chargeMicros * ctr * 1000 : chargeMicros
          expect(chargedCpm).toBeGreaterThanOrEqual(floor - 1e-6 * floor)
          expect(finalPriceMicros).toBeLessThanOrEqual(Math.floor(bid.score + 0.5))
        }
      },
    )
    expect(() => assert(holds, RUNS)).not.toThrow()
  })

  test('never rises when a loser leaves, and never falls when a losing bid rises', () => {
    const holds = property(
      record({
        bidMicros: integer(bids),
        ctr: double(rates),
        one: double(shares),
        other: double(shares),
      }),
      ({ bidMicros, ctr, one, other }) => {
        const bid = winner(true, bidMicros, ctr)
        const [low, high] = one < other ? [one, other] : [other, one]
        const alone = priceOf(bid, NO_SECOND, 1).chargeMicros
        const lower = priceOf(bid, bid.score * low, 1).chargeMicros
        const higher = priceOf(bid, bid.score * high, 1).chargeMicros
        expect(alone).toBeLessThanOrEqual(lower)
        expect(lower).toBeLessThanOrEqual(higher)
      },
    )
    expect(() => assert(holds, RUNS)).not.toThrow()
  })

  test('turns the second score into the unit of the bid and adds one cent', () => {
    expect(priceOf(winner(true, 2_000_000, 0.02), 20_000, 10_000)).toEqual({
      finalPriceMicros: 30_000,
      chargeMicros: 1_010_000,
    })
  })

  test('rounds half of a micro up', () => {
    const bid = winner(false, 4_000_000, 0.02)

    expect(priceOf(bid, bid.score * 0.500_000_125, 1).chargeMicros).toBe(2_010_001)
  })

  test('of a lone bid per click is the floor per thousand over the expected clicks, rounded up', () => {
    expect(priceOf(winner(true, 2_000_000, 0.03), NO_SECOND, 10_000).chargeMicros).toBe(334)
  })
})

describe('the effective bid', () => {
  const terms = { bidMicros: 1_000_000, bidMultiplier: 3, mayExceedMax: false }

  test('stops at the maximum, or at twice of it when opted in', () => {
    expect(effectiveBid({ ...terms, bidMicrosMax: 1_500_000 })).toBe(1_500_000)
    expect(effectiveBid({ ...terms, bidMicrosMax: 1_100_000, mayExceedMax: true })).toBe(2_200_000)
    expect(effectiveBid(terms)).toBe(1_000_000)
  })

  test('is a whole number of micros, to the nearest', () => {
    expect(effectiveBid({ ...terms, bidMultiplier: 0.333_333_6 })).toBe(333_334)
  })
})

test('an amount that is not whole micros is refused when a row is put', () => {
  expect(() => assertMicros(0.5)).toThrow('0.5 is not a whole number of micros')
  expect(() => assertMicros(-1)).toThrow(RangeError)
  expect(() => assertMicros(2 ** 53)).toThrow(RangeError)
})
