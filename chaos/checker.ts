/** An ad with a cap that one reader got to see; times are the client's own. */
export interface Showing {
  /** Who and what. */
  readonly thing: string
  /** Not so if it was shown without asking how often it was shown before. */
  readonly isHeld: boolean
  readonly startMs: number
  readonly endMs: number
  /** When its impression was safe. */
  acknowledgedMs: number | undefined
}

export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** What the client knows: which events it sent, and which of them were acknowledged. */
export interface ClientLog {
  /** True once acknowledged, by event id. */
  readonly events: ReadonlyMap<string, boolean>
  readonly showings: readonly Showing[]
  readonly capMax: number
  /** What was held between two moments was forgotten at the second, unless it was settled. */
  readonly losses: readonly Span[]
  /** When nobody counted. */
  readonly outages: readonly Span[]
}

/** One account, and what entries and events say about it. */
export interface AccountBooks {
  readonly limitMicros: bigint | undefined
  readonly spentMicros: bigint
  readonly remainderMillis: bigint
  readonly leasedMicros: bigint
  /** Undefined where there are no entries: a campaign's lifetime. */
  readonly entriesMicros: bigint | undefined
  readonly eventMillis: bigint
  readonly leasesMicros: bigint
}

/** What the nodes say when nobody has asked for anything for as long as money is held. */
export interface NodesAtRest {
  readonly reservations: number
  /** In the hands of a node that is gone, after the time that leases outlive it. */
  readonly strandedMicros: number
}

export interface Books {
  /** How often each event is stored, by its id; quarantined ones too. */
  readonly stored: ReadonlyMap<string, number>
  /** How many rows there are, and how many the sums of deliveries say. */
  readonly rows: number
  readonly delivered: number
  readonly accounts: readonly AccountBooks[]
  /** Events that are acknowledged and still not settled. */
  readonly unsettled: number
  /** How often the job of each minute was made, for every minute of the run. */
  readonly cronRuns: readonly number[]
  readonly atRest: NodesAtRest
}

export interface Verdict {
  readonly acknowledged: number
  readonly counted: number
  readonly lost: number
  readonly double: number
  /** Stored, but never sent. */
  readonly unexplained: number
  readonly overspentMicros: number
  readonly ledgerDifferenceMicros: number
  readonly leakedReservations: number
  /** Showings of readers who had seen the ad as often as they may. */
  readonly capsPassed: number
  /** Showings without regard to caps while those who count were there. */
  readonly uncounted: number
  readonly strandedMicros: number
  readonly cronMissed: number
  readonly cronDouble: number
}

/** Compares the books with the client's own log. */
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

/** So long after it is safe an impression may take to be known wherever caps are looked at. */
const KNOWN_MS = 20_000

/** Each showing that was one too many, with those before it. */
export function listPassed(log: ClientLog): { showing: Showing; earlier: readonly Showing[] }[] {
  const byThing = Map.groupBy(log.showings, ({ thing }) => thing)
  return [...byThing.values()].flatMap((showings) => {
    const inOrder = showings.toSorted((a, b) => a.startMs - b.startMs)
    return inOrder.flatMap((showing, at) => {
      const earlier = inOrder.slice(0, at)
      const isPassed = showing.isHeld && countKnown(log, earlier, showing) >= log.capMax
      return isPassed ? [{ showing, earlier }] : []
    })
  })
}

/** How many of the earlier ones must have been known when the next was decided. */
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

/** It was held between the two moments, and never settled. */
const isForgotten = ({ startMs, endMs }: Showing, { fromMs, toMs }: Span) =>
  fromMs <= endMs && startMs <= toMs

const isUncounted = ({ outages }: ClientLog, { isHeld, startMs, endMs }: Showing) =>
  !isHeld && !outages.some(({ fromMs, toMs }) => fromMs <= endMs && startMs <= toMs)

const storedAgain = ({ stored }: Books) =>
  [...stored.values()].reduce((sum, times) => sum + times - 1, 0)

const sum = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n)
const absolute = (value: bigint) => (value < 0n ? -value : value)
const positive = (value: bigint) => (value > 0n ? value : 0n)

/** By the book and by its events alike: neither may pass the limit. */
function overspent({ limitMicros, spentMicros, eventMillis }: AccountBooks): bigint {
  if (limitMicros === undefined) return 0n
  const byEvents = (eventMillis + 999n) / 1_000n
  const spent = byEvents > spentMicros ? byEvents : spentMicros
  return positive(spent - limitMicros)
}

/** Account, entries and events tell the same story, to the thousandth of a micro. */
function difference(account: AccountBooks): bigint {
  const { spentMicros, remainderMillis, entriesMicros = spentMicros, eventMillis } = account
  const byEvents = absolute(spentMicros * 1_000n + remainderMillis - eventMillis)
  return absolute(spentMicros - entriesMicros) + (byEvents + 999n) / 1_000n
}

const leaks = ({ leasedMicros, leasesMicros }: AccountBooks) => leasedMicros !== leasesMicros

/** Puts one fault of each kind into clean books, and counts those that are found. */
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
