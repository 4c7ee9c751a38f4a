import { campaignPriority, compareFallbacks } from '../columns/booking-order.ts'
import type { PlacementDetail } from '../columns/catalogue.ts'
import { judgeFully, judgeListed } from './gates.ts'
import { judgeFit } from '../columns/membership.ts'
import { CODE, PASSED } from '../explain/reasons.ts'
import type { Run, Source, Winner } from './run.ts'
import { bookedWinner, reserve } from './winner.ts'

/** Fills free slots with direct bookings in their order, or by drawn weights. */
export function fillBookings(run: Run, placement: PlacementDetail, fill: Fill): void {
  const { trace } = run
  if (trace === undefined && placement.bookings.length === 0) return
  const bookings =
    trace === undefined
      ? placement.bookings
      : trace.bookings(run).filter((offer) => !run.index.assignments.get(offer)!.isFallback)
  if (placement.record?.rotation === 'weighted') fillByWeight(run, bookings, fill)
  else fillInOrder(run, bookings, { fill, source: 'booking' })
}

/** Slots that are still empty: fallbacks of the placement, then evergreen banners of the house. */
export function fillFallbacks(run: Run, placement: PlacementDetail, fill: Fill): void {
  const { trace, index } = run
  const fallbacks =
    trace === undefined
      ? placement.fallbacks
      : trace
          .bookings(run)
          .filter((offer) => index.assignments.get(offer)!.isFallback)
          .toSorted((a, b) => compareFallbacks(index, a, b))
  fillInOrder(run, fallbacks, { fill, source: 'fallback' })
  fillInOrder(run, index.evergreens, { fill, source: 'evergreen' })
}

/** The banners chosen so far, and how many there may be. */
export interface Fill {
  readonly winners: Winner[]
  readonly slots: number
}

const isFull = ({ winners, slots }: Fill) => winners.length >= slots

interface FillStep {
  readonly fill: Fill
  readonly source: Source
}

function fillInOrder(run: Run, offers: readonly number[], { fill, source }: FillStep): void {
  for (const offer of offers) {
    if (isFull(fill) && run.trace === undefined) return
    const reason = judgeBooking(run, offer, source)
    if (reason !== PASSED) run.trace?.note(run, offer, reason)
    else if (isFull(fill)) run.trace?.note(run, offer, CODE['slots-full'])
    else take(run, offer, { fill, source })
  }
}

/** House banners are listed for no placement in particular, so each is fitted when it is needed. */
function judgeBooking(run: Run, offer: number, source: Source): number {
  if (run.trace !== undefined) return judgeFully(run, offer)
  const fit = source === 'evergreen' ? judgeFit(run.index, offer, run.placement!) : PASSED
  return fit || judgeListed(run, offer)
}

function take(run: Run, offer: number, { fill, source }: FillStep): void {
  run.trace?.note(run, offer, PASSED)
  const winner = bookedWinner(run, offer, source)
  if (!reserve(run, offer, winner)) {
    run.trace?.note(run, offer, CODE['reservation-refused'])
    return
  }
  run.trace?.won(offer)
  fill.winners.push(winner)
}

/** The highest campaign priority first; within it, drawn by weight without putting back. */
function fillByWeight(run: Run, bookings: readonly number[], fill: Fill): void {
  for (let start = 0; start < bookings.length;) {
    if (isFull(fill) && run.trace === undefined) return
    const priority = campaignPriority(run.index, bookings[start]!)
    const urn: number[] = []
    let end = start
    for (; end < bookings.length; end++) {
      const offer = bookings[end]!
      if (campaignPriority(run.index, offer) !== priority) break
      const reason = judgeBooking(run, offer, 'booking')
      if (reason === PASSED) urn.push(offer)
      else run.trace?.note(run, offer, reason)
    }
    drawFrom(urn, run, fill)
    start = end
  }
}

function drawFrom(urn: number[], run: Run, fill: Fill): void {
  while (urn.length > 0 && !isFull(fill)) {
    const [offer] = urn.splice(drawIndex(urn, run), 1)
    // An earlier draw may have put this banner or campaign on the page, or spent its budget.
    const reason = judgeBooking(run, offer!, 'booking')
    if (reason === PASSED) take(run, offer!, { fill, source: 'booking' })
    else run.trace?.note(run, offer!, reason)
  }
  for (const offer of urn) run.trace?.note(run, offer, CODE['slots-full'])
}

function drawIndex(urn: readonly number[], run: Run): number {
  const weightOf = (offer: number) => run.index.assignments.get(offer)!.weight
  let total = 0
  for (const offer of urn) total += weightOf(offer)
  let left = run.draws.next() * total
  for (let at = 0; at < urn.length - 1; at++) {
    left -= weightOf(urn[at]!)
    if (left < 0) return at
  }
  return urn.length - 1
}
