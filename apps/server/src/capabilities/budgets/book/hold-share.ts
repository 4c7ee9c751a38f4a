/** Whom a reservation is for, where no key vouches for the reader: what one may hold is bounded. */
export interface Holder {
  /** From 1 to 2^31 - 1: stands for an address, or for the user of a context token. */
  readonly number: number
  /** A context token of the publisher's server vouches for the reader. */
  readonly isVouched: boolean
}

/** Parts of what is free of a budget, from 0 to 1. */
export interface HoldShares {
  /** For one holder. */
  readonly perHolder: number
  /** For all holders together that nothing vouches for. */
  readonly unvouched: number
}

export const HOLD_SHARES: HoldShares = { perHolder: 0.1, unvouched: 0.5 }

/** Why a holder may not hold more of a budget. */
export type ShareRefusal = 'holder' | 'unvouched' | 'last'

export interface ShareQuestion {
  readonly costMicros: number
  /** Neither spent nor held. */
  readonly freeMicros: number
  /** Held by the same holder, and by all that nothing vouches for. */
  readonly ownMicros: number
  readonly unvouchedMicros: number
  readonly isVouched: boolean
}

/**
 * One reader holds a tenth of a budget at most, and all readers that nothing vouches for the half, so
 * that nobody keeps a budget from others by asking for ads and not showing them. One showing may
 * always be held, or small budgets would never be spent.
 */
export function judgeShare(
  { costMicros, freeMicros, ownMicros, unvouchedMicros, isVouched }: ShareQuestion,
  { perHolder, unvouched }: HoldShares,
): ShareRefusal | undefined {
  if (ownMicros > 0 && ownMicros + costMicros > perHolder * (freeMicros + ownMicros)) {
    return 'holder'
  }
  if (isVouched || unvouchedMicros === 0) return undefined
  const isTooMuch = unvouchedMicros + costMicros > unvouched * (freeMicros + unvouchedMicros)
  return isTooMuch ? 'unvouched' : undefined
}
