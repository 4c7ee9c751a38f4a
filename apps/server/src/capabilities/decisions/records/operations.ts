import { DAY_MS } from '@placard/calendar'
import type { Database } from '../../../platform/database/connect.ts'
import { httpProblems } from '../../../platform/http/problems.ts'
import { Problem } from '../../../platform/problem.ts'
import type { RequestReaders } from '../readers/reader-of-request.ts'
import { listPublisherKeysEver } from '../readers/reads-publishers.ts'
import {
  type AuctionCursor,
  type AuctionPlace,
  countAuctions,
  listAuctions,
  sumAuctions,
} from './reads.ts'
import {
  auctionsIn,
  averageEcpmMicros,
  type AuctionTotals,
  bucketEnd,
  bucketStart,
  winRate,
} from './statistics.ts'

export interface AuctionDeps {
  readonly db: Database
  readonly readers: Pick<RequestReaders, 'userKeysOf'>
}

export interface AuctionQuestion {
  readonly userId?: string | undefined
  readonly placementType?: string | undefined
  readonly startDate?: string | undefined
  readonly endDate?: string | undefined
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
  readonly cursor?: string | undefined
}

const COUNTED_MAX = 10_000

/** A page of auctions, newest first, by number or by cursor. */
export async function pageOfAuctions(
  { db, readers }: AuctionDeps,
  { page = 1, pageSize = 20, ...question }: AuctionQuestion,
) {
  const { userId, placementType, cursor } = question
  const filter = {
    // The caller may ask about the readers of every publisher.
    userKeys:
      userId === undefined
        ? undefined
        : readers.userKeysOf(userId, await listPublisherKeysEver(db)),
    placementType,
    ...rangeOf(question),
  }
  const place: AuctionPlace =
    cursor === undefined ? { offset: offsetOf({ page, pageSize }) } : { after: parseCursor(cursor) }

  const rows = await listAuctions(db, filter, { place, limit: pageSize + 1 })
  const counted = await countAuctions(db, filter, COUNTED_MAX + 1)
  const totalCount = Math.min(counted, COUNTED_MAX)
  const last = rows.length > pageSize ? rows[pageSize - 1] : undefined
  return {
    rows: rows.slice(0, pageSize),
    totalCount,
    isTotalCapped: counted > COUNTED_MAX,
    page,
    pageSize,
    totalPages: Math.ceil(totalCount / pageSize),
    ...(last && { nextCursor: writeCursor({ time: last.auctionTime, id: last.id }) }),
  }
}

function offsetOf({ page, pageSize }: { page: number; pageSize: number }): number {
  const offset = (page - 1) * pageSize
  if (offset <= COUNTED_MAX) return offset
  throw new Problem(httpProblems.invalidRequest, 'Page numbers reach the first 10,000 auctions.', [
    { path: 'querystring/page', message: 'is too high; continue with the cursor' },
  ])
}

/** Both ends are included. A day as the end means the whole day. */
function rangeOf({ startDate, endDate }: Pick<AuctionQuestion, 'startDate' | 'endDate'>) {
  return {
    from: startDate === undefined ? undefined : new Date(startDate),
    to: endDate === undefined ? undefined : endOf(endDate),
  }
}

function endOf(date: string): Date {
  const instant = new Date(date)
  return /^\d{4}-\d\d-\d\d$/.test(date) ? new Date(instant.getTime() + DAY_MS - 1) : instant
}

const writeCursor = ({ time, id }: AuctionCursor) => `${time.getTime().toString(36)}.${id}`

function parseCursor(text: string): AuctionCursor {
  const [, time, id] = /^([0-9a-z]{1,11})\.([0-9a-f-]{36})$/.exec(text) ?? []
  if (time === undefined || id === undefined || !UUID.test(id)) {
    throw new Problem(httpProblems.invalidRequest, 'The cursor does not belong to this list.', [
      { path: 'querystring/cursor', message: 'is not a nextCursor of this list' },
    ])
  }
  return { time: new Date(Number.parseInt(time, 36)), id }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export interface Statistics {
  readonly totalAuctions: number
  /** Answered by a direct booking, without an auction. */
  readonly bookedDecisions: number
  readonly averageWinRate: number
  readonly averageEcpmMicros: bigint | undefined
  readonly totalBidsPlaced: number
}

/** Sums over whole quarter-hours, in total and per currency. */
export async function auctionStatistics(
  db: Database,
  question: Pick<AuctionQuestion, 'startDate' | 'endDate'>,
) {
  const { from, to } = rangeOf(question)
  const range = { from: from && bucketStart(from), to: to && bucketEnd(to) }
  const sums = await sumAuctions(db, range)
  const priced = sums.filter((sum) => sum.priced > 0)
  const all = {
    auctions: total(sums, 'auctions'),
    won: total(sums, 'won'),
    bids: total(sums, 'bids'),
    priced: total(sums, 'priced'),
    winningEcpmMicros: 0n,
  }
  // Amounts in two currencies have no mean.
  const mean = priced.length === 1 ? averageEcpmMicros(priced[0]!) : undefined
  return {
    ...range,
    ...statisticsOf(all),
    averageEcpmMicros: mean,
    currencies: sums.map((sum) => ({ currency: sum.currency, ...statisticsOf(sum) })),
  }
}

const total = (
  sums: readonly AuctionTotals[],
  field: 'auctions' | 'won' | 'bids' | 'priced',
): number => sums.reduce((sum, totals) => sum + totals[field], 0)

function statisticsOf(totals: AuctionTotals): Statistics {
  const held = auctionsIn(totals)
  return {
    totalAuctions: held.auctions,
    bookedDecisions: held.booked,
    averageWinRate: winRate(held),
    averageEcpmMicros: averageEcpmMicros(totals),
    totalBidsPlaced: totals.bids,
  }
}
