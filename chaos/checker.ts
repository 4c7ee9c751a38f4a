/** An impression of a capped ad for one reader. Times are the client's. */
export interface Showing {
  readonly readerAndAd: string
  /** False: the ad was served without caps. */
  readonly isHeld: boolean
  readonly startMs: number
  readonly endMs: number
  /** When its impression was durable. */
  acknowledgedMs: number | undefined
}

export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** The client's log: events it sent, and which were acknowledged. */
export interface ClientLog {
  /** True once acknowledged, by event id. */
  readonly events: ReadonlyMap<string, boolean>
  readonly showings: readonly Showing[]
  readonly capMax: number
  /** Holds placed in this period were lost at its end, unless they were settled. */
  readonly losses: readonly Span[]
  /** Periods without counters. */
  readonly outages: readonly Span[]
}

/** One ledger account, with the sums of its entries and events. */
export interface AccountBooks {
  readonly limitMicros: bigint | undefined
  readonly spentMicros: bigint
  readonly remainderMillis: bigint
  readonly leasedMicros: bigint
  /** Undefined for accounts without entries: a campaign's lifetime. */
  readonly entriesMicros: bigint | undefined
  readonly eventMillis: bigint
  readonly leasesMicros: bigint
}

/** What the nodes report after a time without requests that is longer than any hold. */
export interface NodesAtRest {
  readonly reservations: number
  /** Leased by a dead node, after its leases should have ended. */
  readonly strandedMicros: number
}

export interface Books {
  /** Number of stored rows by event id, including quarantined ones. */
  readonly stored: ReadonlyMap<string, number>
  /** Number of rows, and the number according to the delivery sums. */
  readonly rows: number
  readonly delivered: number
  readonly accounts: readonly AccountBooks[]
  /** Events that are acknowledged but not settled yet. */
  readonly unsettled: number
  /** How often each minute's job was created, for every minute of the run. */
  readonly cronRuns: readonly number[]
  readonly atRest: NodesAtRest
}

export interface Verdict {
  readonly acknowledged: number
  readonly counted: number
  readonly lost: number
  readonly double: number
  /** Stored but never sent. */
  readonly unexplained: number
  readonly overspentMicros: number
  readonly ledgerDifferenceMicros: number
  readonly leakedReservations: number
  /** Impressions above a cap. */
  readonly capsPassed: number
  /** Impressions without caps while the counters were available. */
  readonly uncounted: number
  readonly strandedMicros: number
  readonly cronMissed: number
  readonly cronDouble: number
}

/** Compares the books with the client's log. */
export function judge(log: ClientLog, books: Books): Verdict {
  const acknowledged = [...log.events].filter(([, isKnown]) => isKnown).map(([id]) => id)
  const counted = acknowledged.filter((id) => books.stored.has(id)).length
  return {
    acknowledged: acknowledged.length,
    counted,
    lost: acknowledged.length - counted,
    double: storedAgain(books) + Math.max(0, books.delivered - books.rows),
    unexplained: [...books.stored.keys()].filter((id) => !log.events.has(id)).length,
    overspentMicros: Number(sum(books.accounts.map(overspent))),
    ledgerDifferenceMicros: Number(sum(books.accounts.map(difference))),
    leakedReservations: books.accounts.filter(leaks).length + books.atRest.reservations,
    capsPassed: listPassed(log).length,
    uncounted: log.showings.filter((showing) => isUncounted(log, showing)).length,
    strandedMicros: books.atRest.strandedMicros,
    cronMissed: books.cronRuns.filter((count) => count === 0).length,
    cronDouble: books.cronRuns.filter((count) => count > 1).length,
  }
}

/** Time from a durable impression until every node counts it. */
const KNOWN_MS = 20_000

/** Each impression above a cap, with the earlier ones. */
export function listPassed(log: ClientLog): { showing: Showing; earlier: readonly Showing[] }[] {
  const byReaderAndAd = Map.groupBy(log.showings, ({ readerAndAd }) => readerAndAd)
  return [...byReaderAndAd.values()].flatMap((showings) => {
    const inOrder = showings.toSorted((a, b) => a.startMs - b.startMs)
    return inOrder.flatMap((showing, at) => {
      const earlier = inOrder.slice(0, at)
      const isPassed = showing.isHeld && countKnown(log, earlier, showing) >= log.capMax
      return isPassed ? [{ showing, earlier }] : []
    })
  })
}

/** How many earlier impressions must have been known when the next was decided. */
function countKnown(
  { losses }: ClientLog,
  earlier: readonly Showing[],
  { startMs, endMs }: Showing,
): number {
  return earlier.filter((one) => {
    if (one.acknowledgedMs !== undefined && one.acknowledgedMs + KNOWN_MS < startMs) return true
    return one.isHeld && !losses.some((loss) => isForgotten(one, loss) && loss.toMs <= endMs)
  }).length
}

/** True if it was held in this period and never settled. */
const isForgotten = ({ startMs, endMs }: Showing, { fromMs, toMs }: Span) =>
  fromMs <= endMs && startMs <= toMs

const isUncounted = ({ outages }: ClientLog, { isHeld, startMs, endMs }: Showing) =>
  !isHeld && !outages.some(({ fromMs, toMs }) => fromMs <= endMs && startMs <= toMs)

const storedAgain = ({ stored }: Books) =>
  [...stored.values()].reduce((sum, times) => sum + times - 1, 0)

const sum = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n)
const absolute = (value: bigint) => (value < 0n ? -value : value)
const positive = (value: bigint) => (value > 0n ? value : 0n)

/** Compares both the account and its events with the limit. */
function overspent({ limitMicros, spentMicros, eventMillis }: AccountBooks): bigint {
  if (limitMicros === undefined) return 0n
  const byEvents = (eventMillis + 999n) / 1_000n
  const spent = byEvents > spentMicros ? byEvents : spentMicros
  return positive(spent - limitMicros)
}

/** Account, entries and events must agree to a thousandth of a micro. */
function difference(account: AccountBooks): bigint {
  const { spentMicros, remainderMillis, entriesMicros = spentMicros, eventMillis } = account
  const byEvents = absolute(spentMicros * 1_000n + remainderMillis - eventMillis)
  return absolute(spentMicros - entriesMicros) + (byEvents + 999n) / 1_000n
}

const leaks = ({ leasedMicros, leasesMicros }: AccountBooks) => leasedMicros !== leasesMicros

/** Plants one fault of each kind into correct books, and counts those that are found. */
export function countPlantedCaught(log: ClientLog, books: Books): number {
  const clean = judge(log, books)
  const lost = judge(log, withoutOne(log, books)).lost - clean.lost
  const double = judge(log, withOneTwice(books)).double - clean.double
  const overspent = judge(log, withOneMicroMore(books)).overspentMicros - clean.overspentMicros
  return [lost, double, overspent].filter((caught) => caught === 1).length
}

function withoutOne(log: ClientLog, books: Books): Books {
  const stored = new Map(books.stored)
  for (const [id, isAcknowledged] of log.events) {
    if (isAcknowledged && stored.delete(id)) break
  }
  return { ...books, stored }
}

function withOneTwice(books: Books): Books {
  const stored = new Map(books.stored)
  const [first] = stored.keys()
  if (first !== undefined) stored.set(first, 2)
  return { ...books, stored }
}

function withOneMicroMore(books: Books): Books {
  const at = books.accounts.findIndex(({ limitMicros }) => limitMicros !== undefined)
  const accounts = books.accounts.map((account, i) =>
    i === at ? { ...account, spentMicros: account.limitMicros! + 1n } : account,
  )
  return { ...books, accounts }
}
