/** Sums of some auctions of one currency. */
export interface AuctionTotals {
  readonly auctions: number
  /** Answered with an ad. */
  readonly won: number
  /** Won by a bid, and so with a score. */
  readonly priced: number
  readonly bids: number
  readonly winningEcpmMicros: bigint
}

/** Percent of auctions that were answered with an ad; 0 when there was none. */
export const winRate = ({ auctions, won }: Pick<AuctionTotals, 'auctions' | 'won'>): number =>
  auctions === 0 ? 0 : (won / auctions) * 100

/** The mean winning score in whole micros, half up; undefined when no bid has won. */
export function averageEcpmMicros({
  priced,
  winningEcpmMicros,
}: Pick<AuctionTotals, 'priced' | 'winningEcpmMicros'>): bigint | undefined {
  if (priced === 0) return undefined
  const count = BigInt(priced)
  return (2n * winningEcpmMicros + count) / (2n * count)
}

export const BUCKET_MS = 900_000

/** The quarters of an hour that a range touches: statistics know no finer time. */
export const bucketStart = (instant: Date): Date =>
  new Date(Math.floor(instant.getTime() / BUCKET_MS) * BUCKET_MS)

export const bucketEnd = (instant: Date): Date =>
  new Date(bucketStart(instant).getTime() + BUCKET_MS)
