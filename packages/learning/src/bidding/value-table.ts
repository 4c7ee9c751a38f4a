import type { Auctions } from './auctions.ts'

/** Auctions of history in groups of similar ones: each group has a probability, a value and a price. */
export interface AuctionKinds {
  readonly probability: Float64Array
  readonly pctr: Float64Array
  readonly price: Float64Array
}

/** Size of a group: a third of a natural logarithm of pCTR × 1/25 of the highest bid. */
const LN_PCTR_STEP = 0.3
const PRICE_STEPS = 25

export function kindsOf(auctions: Auctions, bidMax: number): AuctionKinds {
  const sums = new Map<string, { count: number; pctr: number; price: number }>()
  for (let at = 0; at < auctions.count; at++) {
    const pctr = auctions.pctr[at]!
    const price = auctions.price[at]!
    if (price > bidMax) continue
    const key = `${Math.floor(Math.log(pctr) / LN_PCTR_STEP)}:${Math.floor((price * PRICE_STEPS) / bidMax)}`
    const kind = sums.get(key) ?? { count: 0, pctr: 0, price: 0 }
    sums.set(key, { count: kind.count + 1, pctr: kind.pctr + pctr, price: kind.price + price })
  }
  const kinds = [...sums.values()]
  return {
    probability: Float64Array.from(kinds, ({ count }) => count / auctions.count),
    pctr: Float64Array.from(kinds, ({ count, pctr }) => pctr / count),
    price: Float64Array.from(kinds, ({ count, price }) => price / count),
  }
}

/**
 * The highest expected value of n more auctions with a budget b, if auctions are drawn from history:
 * V(n+1, b) = V(n, b) + E max(0, pCTR + V(n, b − price) − V(n, b)), where the price must fit the budget.
 * Unlike a multiplier, it keeps a reserve for rare auctions that are worth much more than others, which
 * matters when a budget buys few impressions.
 */
export class ValueTable {
  readonly auctions: number
  readonly budget: number
  /** Mean price of an auction: the most that a request can cost on average. */
  readonly meanPrice: number
  private readonly rows: readonly Float64Array[]
  private readonly cells: number

  constructor(kinds: AuctionKinds, { auctions, budget, cells = CELLS }: TableSize) {
    this.auctions = auctions
    this.budget = budget
    this.cells = cells
    this.meanPrice = kinds.probability.reduce(
      (sum, probability, at) => sum + probability * kinds.price[at]!,
      0,
    )
    const steps = stepsOf(kinds, budget / cells)
    const rows: Float64Array[] = [new Float64Array(cells + 1)]
    while (rows.length <= auctions) rows.push(nextRow(rows.at(-1)!, steps))
    this.rows = rows
  }

  /** The highest price worth paying, up to `limit`, for an auction of this value. */
  worth(pctr: number, { auctionsLeft, budget, limit }: Position): number {
    const at = Math.min(this.auctions, Math.max(0, auctionsLeft))
    const low = this.rows[Math.floor(at)]!
    const high = this.rows[Math.ceil(at)]!
    const part = at - Math.floor(at)
    const kept = this.valueAt(low, high, { budget, part })
    const isWorth = (price: number) =>
      pctr + this.valueAt(low, high, { budget: budget - price, part }) >= kept
    let sure = 0
    let beyond = Math.min(limit, budget)
    if (isWorth(beyond)) return beyond
    while (beyond - sure > 1) {
      const middle = (sure + beyond) >> 1
      if (isWorth(middle)) sure = middle
      else beyond = middle
    }
    return sure
  }

  /** V(n, b), interpolated linearly between cells. */
  value(auctionsLeft: number, budget: number): number {
    const row = this.rows[auctionsLeft]!
    return this.valueAt(row, row, { budget, part: 0 })
  }

  private valueAt(
    low: Float64Array,
    high: Float64Array,
    { budget, part }: { budget: number; part: number },
  ): number {
    const place = (budget * this.cells) / this.budget
    const at = Math.min(this.cells - 1, Math.floor(place))
    const over = place - at
    const first = low[at]! + over * (low[at + 1]! - low[at]!)
    if (part === 0) return first
    return first + part * (high[at]! + over * (high[at + 1]! - high[at]!) - first)
  }
}

export interface TableSize {
  readonly auctions: number
  readonly budget: number
  readonly cells?: number
}

export interface Position {
  readonly auctionsLeft: number
  readonly budget: number
  readonly limit: number
}

const CELLS = 200

interface Steps extends AuctionKinds {
  /** Price in cells: whole part and remainder. */
  readonly whole: Int32Array
  readonly rest: Float64Array
}

function stepsOf(kinds: AuctionKinds, cell: number): Steps {
  const whole = Int32Array.from(kinds.price, (price) => Math.floor(price / cell))
  const rest = Float64Array.from(kinds.price, (price, at) => price / cell - whole[at]!)
  return { ...kinds, whole, rest }
}

/** Group by group along the whole row, because one row fits the L1 cache. */
function nextRow(row: Float64Array, { probability, pctr, whole, rest }: Steps): Float64Array {
  const gains = new Float64Array(row.length)
  for (let kind = 0; kind < probability.length; kind++) {
    const likely = probability[kind]!
    const value = pctr[kind]!
    const price = whole[kind]!
    const over = rest[kind]!
    for (let at = over > 0 ? price + 1 : price; at < row.length; at++) {
      const to = at - price
      const after = over > 0 ? row[to]! - over * (row[to]! - row[to - 1]!) : row[to]!
      const more = value + after - row[at]!
      if (more > 0) gains[at]! += likely * more
    }
  }
  for (let at = 0; at < row.length; at++) gains[at]! += row[at]!
  return gains
}
