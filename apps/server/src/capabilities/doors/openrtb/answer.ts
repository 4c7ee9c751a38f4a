import type { BidRequest, BidResponse } from '@placard/contract/openrtb'
import type { SentBid } from './bid.ts'
import { fieldAt, type Sent } from './fields.ts'
import type { NoBid } from './no-bid.ts'

export type SentResponse = Sent<BidResponse>

/** What became of one impression. */
export interface Outcome {
  readonly impId: string
  readonly seat: string
  readonly bid?: SentBid | undefined
  readonly noBid?: NoBid | undefined
  readonly message?: string | undefined
}

export interface Answering {
  readonly request: BidRequest
  readonly outcomes: readonly Outcome[]
  readonly currency: string | undefined
  readonly tookMs: number
}

/** The whole answer. */
export function answerOf(answering: Answering): SentResponse {
  const { request, outcomes, currency } = answering
  const seatbid = bidsBySeat(outcomes)
  const [first] = seatbid
  const ext = extOf(answering)
  return first === undefined
    ? { id: request.id, seatbid, nbr: nbrOf(outcomes), ext }
    : { id: request.id, seatbid, cur: currency, bidid: first.bid[0]!.id, ext }
}

function bidsBySeat(outcomes: readonly Outcome[]) {
  const seats = new Map<string, SentBid[]>()
  for (const { seat, bid } of outcomes) {
    if (bid === undefined) continue
    const bids = seats.get(seat)
    if (bids === undefined) seats.set(seat, [bid])
    else bids.push(bid)
  }
  return [...seats].map(([seat, bid]) => ({ seat, bid }))
}

/** The first reason that says something. */
const nbrOf = (outcomes: readonly Outcome[]): number =>
  outcomes.map(({ noBid }) => noBid?.nbr ?? 0).find((nbr) => nbr > 0) ?? 0

function extOf({ request, outcomes, tookMs }: Answering): SentResponse['ext'] {
  const passthrough = fieldAt(request.ext, 'prebid', 'passthrough')
  const seats = [...new Set(outcomes.map(({ seat }) => seat))]
  return {
    responsetimemillis: Object.fromEntries(seats.map((seat) => [seat, tookMs])),
    errors: errorsOf(outcomes),
    seatnonbid: asksForReasons(request) ? nonBidsOf(outcomes) : undefined,
    ...(passthrough !== undefined && { prebid: { passthrough } }),
  }
}

/** What an integrator can mend. */
function errorsOf(outcomes: readonly Outcome[]) {
  const told = outcomes.filter(({ message }) => message !== undefined)
  if (told.length === 0) return undefined
  const bySeat = Map.groupBy(told, ({ seat }) => seat)
  return Object.fromEntries(
    [...bySeat].map(([seat, errors]) => [
      seat,
      errors.map(({ message, noBid }) => ({ code: noBid?.status ?? 0, message: message! })),
    ]),
  )
}

function nonBidsOf(outcomes: readonly Outcome[]) {
  const empty = outcomes.filter(({ bid }) => bid === undefined)
  const bySeat = Map.groupBy(empty, ({ seat }) => seat)
  return [...bySeat].map(([seat, nonBids]) => ({
    seat,
    nonbid: nonBids.map(({ impId, noBid }) => ({
      impid: impId,
      statuscode: noBid?.status ?? 0,
    })),
  }))
}

/** Prebid's page, or somebody who looks for a fault. */
export const asksForReasons = ({ ext }: BidRequest): boolean =>
  fieldAt(ext, 'prebid', 'returnallbidstatus') === true || isExplained(ext)

const isExplained = (ext: unknown): boolean => Boolean(fieldAt(ext, 'placard', 'explain'))

/**
 * Prebid’s module takes an empty body for a broken one, and whoever asks for reasons wants to read
 * them. All others expect 204.
 */
export const wantsEmptyAnswer = ({ ext }: BidRequest, origin: string | undefined): boolean =>
  origin !== undefined || fieldAt(ext, 'prebid') !== undefined || isExplained(ext)
