import type { Clock } from '../../platform/clock.ts'
import type { BudgetBook } from '../budgets/index.ts'
import type { CountedThing, Counters } from '../frequency/index.ts'
import type { BilledEvent, TrackedEvent } from '../tracking/index.ts'
import type { Content } from './content.ts'
import { holdMsOf, type HoldTimes } from './live.ts'

export interface SettledDeps {
  readonly content: Content
  readonly holdTimes?: HoldTimes | undefined
  readonly budgets: Pick<BudgetBook, 'confirm' | 'charge' | 'release'>
  readonly counters: Pick<Counters, 'confirm' | 'release' | 'countImpression'>
  readonly clock: Clock
}

/** What was held for a showing ends with the event that settles it: it was spent, or comes back. */
export async function endHolds(deps: SettledDeps, settled: readonly BilledEvent[]): Promise<void> {
  for (const billed of settled) endReservation(deps, billed)
  await Promise.all(settled.map(({ event }) => endFrequencyHold(deps, event)))
}

function endReservation({ budgets }: SettledDeps, billed: BilledEvent): void {
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

function confirm(budgets: SettledDeps['budgets'], billed: BilledEvent): boolean {
  const { pricing, reservationId } = billed.event
  return budgets.confirm(reservationId!, pricing === 'cpm' ? microsOf(billed) : 0)
}

/** The book has whole micros: it takes a charge for a little too much, never for too little. */
const microsOf = ({ chargedMillis }: BilledEvent): number => Number((chargedMillis + 999n) / 1000n)

async function endFrequencyHold(deps: SettledDeps, event: TrackedEvent): Promise<void> {
  const { kind, holdId, userKey, label } = event
  if (kind !== 'impression') return
  if (label !== 'valid') {
    if (holdId !== undefined) await deps.counters.release(holdId)
  } else if (holdId !== undefined && isStillHeld(deps, event)) {
    await deps.counters.confirm(holdId)
  } else if (userKey !== undefined) {
    const capped = cappedThings(deps.content, event)
    if (capped.length > 0) await deps.counters.countImpression(userKey, capped)
  }
}

function isStillHeld(deps: SettledDeps, { decisionId, bannerKey }: TrackedEvent) {
  if (decisionId === undefined || bannerKey === undefined) return false
  const decidedAtMs = Number.parseInt(decisionId.replace('-', '').slice(0, 12), 16)
  return deps.clock.now().getTime() - decidedAtMs < holdMsOf(deps, bannerKey)
}

function cappedThings({ caps }: Content, event: TrackedEvent): readonly CountedThing[] {
  const { source, winnerKey, campaignKey, advertiserKey } = event
  return [
    ...(source === 'ad' ? (caps.ad.get(winnerKey) ?? []) : []),
    ...(campaignKey === undefined ? [] : (caps.campaign.get(campaignKey) ?? [])),
    ...(advertiserKey === undefined ? [] : (caps.advertiser.get(advertiserKey) ?? [])),
  ]
}
