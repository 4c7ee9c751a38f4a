import { type UtcDay, utcDayOf } from './auction-day.ts'

/** Sums of some auctions in one currency. */
export interface AuctionTotals {
  /** Decisions of all kinds. */
  readonly auctions: number
  /** Answered with an ad. */
  readonly won: number
  /** Won by a bid, and so with a score. */
  readonly priced: number
  readonly bids: number
  readonly winningEcpmMicros: bigint
}

/** Decisions without those that a booking won: these were no auctions. */
export const auctionsIn = ({ auctions, won, priced }: AuctionTotals) => ({
  auctions: auctions - (won - priced),
  won: priced,
  booked: won - priced,
})

/** Percent of auctions won by a bid; 0 without auctions. */
export const winRate = ({ auctions, won }: Pick<AuctionTotals, 'auctions' | 'won'>): number =>
  auctions === 0 ? 0 : (won / auctions) * 100

/** The mean winning score in whole micros, rounded half up. Undefined if no bid has won. */
export function averageEcpmMicros({
  priced,
  winningEcpmMicros,
}: Pick<AuctionTotals, 'priced' | 'winningEcpmMicros'>): bigint | undefined {
  if (priced === 0) return undefined
  const count = BigInt(priced)
  return (2n * winningEcpmMicros + count) / (2n * count)
}

export const BUCKET_MS = 900_000

/** Statistics are kept per quarter-hour: widens a range to those it touches. */
export const bucketStart = (instant: Date): Date =>
  new Date(Math.floor(instant.getTime() / BUCKET_MS) * BUCKET_MS)

export const bucketEnd = (instant: Date): Date =>
  new Date(Math.min(bucketStart(instant).getTime() + BUCKET_MS, LAST_MS))

/** The last instant that the contract allows. */
const LAST_MS = Date.parse('2999-12-31T23:59:59.999Z')

/**
 * Types that a placement can have. All others are summed as one, because any caller can invent
 * them.
 */
const KNOWN_TYPES: ReadonlySet<string> = new Set(['feed', 'story', 'banner'])

interface Sums {
  readonly quarter: number
  readonly type: string
  readonly currency: string
  auctions: number
  won: number
  priced: number
  bids: number
  ecpm: number
}

/** The fields of an auction that are summed. */
export interface Summed {
  readonly atMs: number
  readonly placementType: string
  readonly currency: string
  readonly isWon: boolean
  readonly bidCount: number
  /** Undefined unless a bid has won. */
  readonly ecpmMicros: number | undefined
}

/** What a batch adds to the statistics. */
export class AuctionSums {
  /** So few entries that a scan is cheaper than building a three-part key. */
  private all: Sums[] = []

  add({ atMs, placementType, currency, isWon, bidCount, ecpmMicros }: Summed): void {
    const type = KNOWN_TYPES.has(placementType) ? placementType : 'other'
    const sum = this.sumOf(Math.floor(atMs / BUCKET_MS), type, currency)
    sum.auctions++
    if (isWon) sum.won++
    if (ecpmMicros !== undefined) sum.priced++
    sum.bids += bidCount
    sum.ecpm += ecpmMicros ?? 0
  }

  rows() {
    return this.all.map(({ quarter, ...sum }) => ({ bucket: timeOf(quarter), ...sum }))
  }

  /** The UTC days of the batch. */
  days(): readonly UtcDay[] {
    return [...new Set(this.all.map(({ quarter }) => utcDayOf(new Date(quarter * BUCKET_MS))))]
  }

  clear(): void {
    this.all = []
  }

  private sumOf(quarter: number, type: string, currency: string): Sums {
    for (const sum of this.all) {
      if (sum.quarter === quarter && sum.type === type && sum.currency === currency) return sum
    }
    const sum = { quarter, type, currency, auctions: 0, won: 0, priced: 0, bids: 0, ecpm: 0 }
    this.all.push(sum)
    return sum
  }
}

const timeOf = (quarter: number) => new Date(quarter * BUCKET_MS).toISOString()
