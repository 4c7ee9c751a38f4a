/** The books of one budget day, from three sources that must agree. */
export interface LedgerDay {
  readonly scope: 'campaign' | 'advertiser'
  readonly ownerKey: number
  readonly day: string
  readonly limitMicros: bigint | undefined
  readonly spentMicros: bigint
  readonly remainderMillis: bigint
  readonly allowanceMicros: bigint
  /** Ledger entries that spend money: settled, credited, adjusted. */
  readonly entriesMicros: bigint
  readonly allowanceEntriesMicros: bigint
  readonly leasedMicros: bigint
  /** The leased amount, by entries of leases and of settled batches. */
  readonly leasedEntriesMicros: bigint
  /** What nodes have leased. */
  readonly leasesMicros: bigint
  /** What the events themselves were charged. Undefined if they were not read. */
  readonly eventMillis: bigint | undefined
}

export type LedgerFaultKind =
  | 'entries-differ'
  | 'events-differ'
  | 'allowance-differs'
  | 'leases-differ'
  | 'overspent'

export interface LedgerFault {
  readonly kind: LedgerFaultKind
  readonly scope: LedgerDay['scope']
  readonly ownerKey: number
  readonly day: string
  readonly differenceMicros: bigint
}

/** Every disagreement in the books of a day. Empty if all is well. */
export function checkLedgerDay(books: LedgerDay): LedgerFault[] {
  const { scope, ownerKey, day } = books
  const differences: [LedgerFaultKind, bigint][] = [
    ['entries-differ', books.spentMicros - books.entriesMicros],
    ['events-differ', eventDifference(books)],
    ['allowance-differs', books.allowanceMicros - books.allowanceEntriesMicros],
    ['leases-differ', books.leasedMicros - books.leasedEntriesMicros],
    ['leases-differ', books.leasedMicros - books.leasesMicros],
    ['overspent', overspent(books)],
  ]
  return differences
    .filter(([, differenceMicros]) => differenceMicros !== 0n)
    .map(([kind, differenceMicros]) => ({ kind, scope, ownerKey, day, differenceMicros }))
}

/** Rounded away from zero, so that an excess of a thousandth is a fault too. */
function eventDifference({ spentMicros, remainderMillis, eventMillis }: LedgerDay): bigint {
  if (eventMillis === undefined) return 0n
  const millis = spentMicros * 1_000n + remainderMillis - eventMillis
  return (millis + (millis > 0n ? 999n : millis < 0n ? -999n : 0n)) / 1_000n
}

function overspent({ limitMicros, spentMicros, leasedMicros }: LedgerDay): bigint {
  const usedMicros = spentMicros + leasedMicros
  return limitMicros === undefined || usedMicros <= limitMicros ? 0n : usedMicros - limitMicros
}

export const sumOfDifferences = (faults: readonly LedgerFault[]): bigint =>
  faults.reduce((sum, { differenceMicros: each }) => sum + (each < 0n ? -each : each), 0n)
