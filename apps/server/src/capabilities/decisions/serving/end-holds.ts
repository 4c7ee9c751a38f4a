import { setImmediate as nextLoopTick } from 'node:timers/promises'
import type { BudgetBook } from '../../budgets/index.ts'
import type { Counters } from '../../frequency/index.ts'
import type { SettledEvent, Settlement, TrackedEvent } from '../../tracking/index.ts'

/**
 * Longer than any acknowledged event waits to be settled, unless the database is unavailable for
 * longer.
 */
const KEPT_MS = 3_600_000

/** Keeps the caps' holds of impressions that are durable but not settled yet. */
export async function keepHolds(
  { counters }: { readonly counters: Pick<Counters, 'prolong'> },
  events: readonly TrackedEvent[],
): Promise<void> {
  const holds = events.flatMap(holdsOf)
  if (holds.length > 0) await counters.prolong(holds, KEPT_MS)
}

/** Events per event-loop tick, so that requests run between the parts of a large batch. */
const EVENTS_PER_TICK = 1_000

export interface EndHoldsDeps {
  readonly budgets: Pick<BudgetBook, 'confirm' | 'charge' | 'release'>
  readonly counters: Pick<Counters, 'restore'>
}

/**
 * Ends the holds of settled events: the money was spent or is released. Counts are set to the
 * settled totals, so it does not matter which node sends them, when or how often. Hold and count
 * change in one step, or the user would briefly have seen one impression more or less.
 */
export async function endHolds(
  { budgets, counters }: EndHoldsDeps,
  { fresh, seen }: Pick<Settlement, 'fresh' | 'seen'>,
): Promise<void> {
  for (const [i, billed] of fresh.entries()) {
    if (i > 0 && i % EVENTS_PER_TICK === 0) await nextLoopTick()
    endReservation(budgets, billed)
  }
  const holds = fresh.flatMap(({ event }) => holdsOf(event))
  if (seen.length === 0 && holds.length === 0) return
  await counters.restore(
    seen.map(({ startMs, ...count }) => ({ ...count, atMs: startMs })),
    holds,
  )
}

const holdsOf = ({ kind, holdId }: Pick<TrackedEvent, 'kind' | 'holdId'>) =>
  kind === 'impression' && holdId !== undefined ? [holdId] : []

function endReservation(budgets: EndHoldsDeps['budgets'], billed: SettledEvent): void {
  const { event, billing } = billed
  const { pricing, kind, reservationId } = event
  if (kind !== (pricing === 'cpm' ? 'impression' : 'click')) return
  if (billing !== 'charged') {
    if (reservationId !== undefined) budgets.release(reservationId)
    return
  }
  const micros = microsOf(billed)
  const isHeld = reservationId !== undefined && confirm(budgets, billed)
  // A click costs its full price, but only its expected cost was held.
  if (isHeld && pricing === 'cpm') return
  const { campaignKey, budgetDay: day } = event
  if (campaignKey !== undefined) budgets.charge({ campaignKey, day, micros })
}

function confirm(budgets: EndHoldsDeps['budgets'], billed: SettledEvent): boolean {
  const { pricing, reservationId } = billed.event
  return budgets.confirm(reservationId!, pricing === 'cpm' ? microsOf(billed) : 0)
}

/** The book has whole micros. Round up: it must never charge too little. */
const microsOf = ({ chargedMillis }: SettledEvent): number => Number((chargedMillis + 999n) / 1000n)
