import { describe, expect, test } from 'vitest'
import { hindsight } from './hindsight.ts'
import { MeanValueTable, smoothedPrices } from './mean-value-table.ts'
import { replayEpisode } from './replay.ts'
import { CurveReSolve } from './re-solve.ts'
import { curveOf } from './spend-curve.ts'
import { Rlb, SsMdp } from './table-policies.ts'
import { TableReSolve } from './table-re-solve.ts'
import { kindsOf, ValueTable } from './value-table.ts'
import { normalDraw, seededDraws } from '../random.ts'
import type { Auctions } from './auctions.ts'

/** Best expected value over all bids, by trying each. Without a budget it is 0. */
function bruteForce(
  kinds: readonly { probability: number; rate: number; price: number }[],
  n: number,
  budget: number,
): number {
  if (n === 0 || budget === 0) return 0
  const rates = [...new Set(kinds.map(({ rate }) => rate))]
  let sum = 0
  for (const rate of rates) {
    const alike = kinds.filter((kind) => kind.rate === rate)
    const bids = [-1, ...Array.from({ length: budget + 1 }, (_, bid) => bid)]
    sum += Math.max(
      ...bids.map((bid) =>
        alike.reduce(
          (total, { probability, price }) =>
            total +
            probability *
              (price <= bid
                ? rate + bruteForce(kinds, n - 1, budget - price)
                : bruteForce(kinds, n - 1, budget)),
          0,
        ),
      ),
    )
  }
  return sum
}

describe('the table of average auctions', () => {
  const prices = smoothedPrices([0, 3, 2, 4])
  const table = new MeanValueTable({ rate: 0.1, prices }, { auctions: 4, budget: 7 })
  const kinds = [...prices].map((probability, price) => ({ probability, rate: 0.1, price }))

  test('has the best expected value of every state', () => {
    for (let n = 0; n < 4; n++) {
      for (let budget = 1; budget <= 7; budget++) {
        expect(table.value(n, budget)).toBeCloseTo(bruteForce(kinds, n, budget), 9)
      }
    }
  })

  test('a better auction gets a higher bid, and the last one the whole remaining budget', () => {
    const hand = { auctions: 3, budget: 4, limit: 3 }

    expect(table.bid(0.5, hand)).toBe(3)
    expect(table.bid(0.01, hand)).toBeLessThan(table.bid(0.5, hand))
    expect(table.bid(0.01, { auctions: 0, budget: 2, limit: 3 })).toBe(2)
  })
})

describe('the table of all auctions', () => {
  const kinds = [
    { probability: 0.5, rate: 0.1, price: 2 },
    { probability: 0.3, rate: 0.1, price: 1 },
    { probability: 0.2, rate: 0.9, price: 3 },
  ]
  const columns = {
    probability: Float64Array.from(kinds, ({ probability }) => probability),
    pctr: Float64Array.from(kinds, ({ rate }) => rate),
    price: Float64Array.from(kinds, ({ price }) => price),
  }

  test('has the best expected value of every state', () => {
    const table = new ValueTable(columns, { auctions: 4, budget: 6, cells: 6 })
    for (let n = 0; n <= 4; n++) {
      for (let budget = 0; budget <= 6; budget++) {
        expect(table.value(n, budget)).toBeCloseTo(bruteForce(kinds, n, budget), 9)
      }
    }
  })

  test('keeps a reserve for rare auctions that are worth much', () => {
    const table = new ValueTable(columns, { auctions: 20, budget: 4, cells: 4 })

    expect(table.worth(0.1, { auctionsLeft: 20, budget: 4, limit: 3 })).toBeLessThan(2)
    expect(table.worth(0.9, { auctionsLeft: 20, budget: 4, limit: 3 })).toBe(3)
    expect(table.worth(0.1, { auctionsLeft: 0, budget: 4, limit: 3 })).toBe(3)
  })

  test('an auction that costs more than the budget has no value', () => {
    const dear = {
      probability: Float64Array.of(1),
      pctr: Float64Array.of(1),
      price: Float64Array.of(5),
    }
    const table = new ValueTable(dear, { auctions: 3, budget: 6, cells: 4 })

    expect([0, 3, 4.5].map((budget) => table.value(3, budget))).toEqual([0, 0, 0])
    expect(table.value(3, 6)).toBe(1)
  })

  test('never bids more than the budget', () => {
    const table = new ValueTable(columns, { auctions: 4, budget: 6, cells: 6 })

    expect(table.worth(9, { auctionsLeft: 2, budget: 2, limit: 300 })).toBe(2)
  })
})

/** One auction in 200 is worth 50 others. */
function jackpots(seed: number, count: number): Auctions {
  const draws = seededDraws(seed)
  const rows = Array.from({ length: count }, () => (draws.next() < 0.005 ? 0.1 : 0.002))
  return {
    count,
    window: new Uint8Array(count),
    click: new Uint8Array(count),
    pctr: Float64Array.from(rows),
    price: Int32Array.from(rows, (rate) =>
      Math.round((rate > 0.05 ? 120 : 30) * Math.exp(0.4 * normalDraw(draws))),
    ),
  }
}

test('a budget of few impressions wins more by the value table than by a multiplier', () => {
  const history = jackpots(1, 20_000)
  const budget = 700
  const rules = { budget, bidMax: 300 }
  const values = new ValueTable(kindsOf(history, 300), { auctions: 500, budget })
  const rate = history.pctr.reduce((sum, one) => sum + one, 0) / history.count
  const counts = new Float64Array(301)
  for (const price of history.price) counts[Math.min(300, price)]!++
  const mean = new MeanValueTable(
    { rate, prices: smoothedPrices(counts) },
    { auctions: 500, budget },
  )
  const policies = {
    table: new TableReSolve(values, 300),
    curve: new CurveReSolve(curveOf(history, 300)),
    rlb: new Rlb(mean, 300),
    ssMdp: new SsMdp(mean, { rate, bidMax: 300 }),
  }
  const won = { table: 0, curve: 0, rlb: 0, ssMdp: 0, best: 0 }

  for (let episode = 0; episode < 40; episode++) {
    const rows = jackpots(100 + episode, 500)
    won.best += hindsight(rows, budget).fractional
    for (const name of ['table', 'curve', 'rlb', 'ssMdp'] as const) {
      const { value, spend } = replayEpisode(rows, policies[name], rules)
      expect(spend).toBeLessThanOrEqual(budget)
      won[name] += value
    }
  }

  expect(won.table).toBeGreaterThan(1.02 * won.curve)
  expect(won.table).toBeGreaterThan(0.98 * won.rlb)
  expect(won.rlb).toBeGreaterThan(won.ssMdp)
  expect(won.table).toBeLessThanOrEqual(won.best)
})
