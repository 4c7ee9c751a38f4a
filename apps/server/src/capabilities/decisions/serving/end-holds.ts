import { setImmediate as nextLoopTick } from 'node:timers/promises'
import type { BudgetBook } from '../../budgets/index.ts'
import type { Counters } from '../../frequency/index.ts'
import type { SettledEvent, Settlement, TrackedEvent } from '../../tracking/index.ts'

/** Longer than anything acknowledged waits, unless the database is away for longer than that. */
const KEPT_MS = 3_600_000

/** An impression that is safe but not settled keeps its place under the caps. */
export async function keepHolds(
  { counters }: { readonly counters: Pick<Counters, 'prolong'> },
  events: readonly TrackedEvent[],
): Promise<void> {
  const holds = events.flatMap(holdsOf)
  if (holds.length > 0) await counters.prolong(holds, KEPT_MS)
}

/** Requests come between the portions of a large batch. */
const PORTION = 1_000

export interface EndHoldsDeps {
  readonly budgets: Pick<BudgetBook, 'confirm' | 'charge' | 'release'>
  readonly counters: Pick<Counters, 'restore'>
}

/**
 * What was held for a showing ends with the event that settles it: it was spent, or comes back. Counts
 * are told as they are in the books, so that it does not matter who tells them, when, or how often; the
 * holds go in the same step, or the user would have seen one more or less for a moment.
 */
export async function endHolds(
  { budgets, counters }: EndHoldsDeps,
  { fresh, seen }: Pick<Settlement, 'fresh' | 'seen'>,
): Promise<void> {
  for (const [i, billed] of fresh.entries()) {
    if (i > 0 && i % PORTION === 0) await nextLoopTick()
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
  // A click costs its whole price; only what it was expected to cost was held.
  if (isHeld && pricing === 'cpm') return
  const { campaignKey, budgetDay: day } = event
  if (campaignKey !== undefined) budgets.charge({ campaignKey, day, micros })
}

function confirm(budgets: EndHoldsDeps['budgets'], billed: SettledEvent): boolean {
  const { pricing, reservationId } = billed.event
  return budgets.confirm(reservationId!, pricing === 'cpm' ? microsOf(billed) : 0)
}

/** The book has whole micros: it takes a charge for a little too much, never for too little. */
const microsOf = ({ chargedMillis }: SettledEvent): number => Number((chargedMillis + 999n) / 1000n)
