import { campaignPriority, compareFallbacks } from '../columns/booking-order.ts'
import type { PlacementDetail } from '../columns/catalogue.ts'
import { judgeFully, judgeListed } from './gates.ts'
import { judgeFit } from '../columns/membership.ts'
import { CODE, PASSED } from '../explain/reasons.ts'
import type { Run, Source, Winner } from './run.ts'
import { bookedWinner, reserve } from './winner.ts'

/** Fills empty slots with direct bookings, in their order or drawn by weight. */
export function fillBookings(run: Run, placement: PlacementDetail, fill: Fill): void {
  const { trace } = run
  if (trace === undefined && placement.bookings.length === 0) return
  const bookings =
    trace === undefined
      ? placement.bookings
      : trace.bookings(run).filter((candidate) => !run.index.assignments.get(candidate)!.isFallback)
  if (placement.record?.rotation === 'weighted') fillByWeight(run, bookings, fill)
  else fillInOrder(run, bookings, { fill, source: 'booking' })
}

/** Fills slots that are still empty with the placement's fallbacks, then with evergreen banners. */
export function fillFallbacks(run: Run, placement: PlacementDetail, fill: Fill): void {
  const { trace, index } = run
  const fallbacks =
    trace === undefined
      ? placement.fallbacks
      : trace
          .bookings(run)
          .filter((candidate) => index.assignments.get(candidate)!.isFallback)
          .toSorted((a, b) => compareFallbacks(index, a, b))
  fillInOrder(run, fallbacks, { fill, source: 'fallback' })
  fillInOrder(run, index.evergreens, { fill, source: 'evergreen' })
}

/** The winners so far, and the number of slots. */
export interface Fill {
  readonly winners: Winner[]
  readonly slots: number
}

const isFull = ({ winners, slots }: Fill) => winners.length >= slots

interface FillStep {
  readonly fill: Fill
  readonly source: Source
}

function fillInOrder(run: Run, candidates: readonly number[], { fill, source }: FillStep): void {
  for (const candidate of candidates) {
    if (isFull(fill) && run.trace === undefined) return
    const reason = judgeBooking(run, candidate, source)
    if (reason !== PASSED) run.trace?.note(run, candidate, reason)
    else if (isFull(fill)) run.trace?.note(run, candidate, CODE['slots-full'])
    else take(run, candidate, { fill, source })
  }
}

/** Evergreen banners are in no placement's list, so each is checked when it is needed. */
function judgeBooking(run: Run, candidate: number, source: Source): number {
  if (run.trace !== undefined) return judgeFully(run, candidate)
  const fit = source === 'evergreen' ? judgeFit(run.index, candidate, run.placement) : PASSED
  return fit || judgeListed(run, candidate)
}

function take(run: Run, candidate: number, { fill, source }: FillStep): void {
  run.trace?.note(run, candidate, PASSED)
  const winner = bookedWinner(run, candidate, source)
  if (!reserve(run, candidate, winner)) {
    run.trace?.note(run, candidate, CODE['reservation-refused'])
    return
  }
  run.trace?.won(candidate)
  fill.winners.push(winner)
}

/** Highest campaign priority first; within a priority, drawn by weight without replacement. */
function fillByWeight(run: Run, bookings: readonly number[], fill: Fill): void {
  for (let start = 0; start < bookings.length;) {
    if (isFull(fill) && run.trace === undefined) return
    const priority = campaignPriority(run.index, bookings[start]!)
    const urn: number[] = []
    let end = start
    for (; end < bookings.length; end++) {
      const candidate = bookings[end]!
      if (campaignPriority(run.index, candidate) !== priority) break
      const reason = judgeBooking(run, candidate, 'booking')
      if (reason === PASSED) urn.push(candidate)
      else run.trace?.note(run, candidate, reason)
    }
    drawFrom(urn, run, fill)
    start = end
  }
}

function drawFrom(urn: number[], run: Run, fill: Fill): void {
  while (urn.length > 0 && !isFull(fill)) {
    const [candidate] = urn.splice(drawIndex(urn, run), 1)
    // An earlier draw may have shown this banner or campaign, or spent its budget.
    const reason = judgeBooking(run, candidate!, 'booking')
    if (reason === PASSED) take(run, candidate!, { fill, source: 'booking' })
    else run.trace?.note(run, candidate!, reason)
  }
  for (const candidate of urn) run.trace?.note(run, candidate, CODE['slots-full'])
}

function drawIndex(urn: readonly number[], run: Run): number {
  const weightOf = (candidate: number) => run.index.assignments.get(candidate)!.weight
  let total = 0
  for (const candidate of urn) total += weightOf(candidate)
  let left = run.draws.next() * total
  for (let at = 0; at < urn.length - 1; at++) {
    left -= weightOf(urn[at]!)
    if (left < 0) return at
  }
  return urn.length - 1
}
