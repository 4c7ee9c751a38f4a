import type { WinnerSource } from '../links/claims.ts'
import { bucketOf } from '../settlement/batch-sums.ts'
import { type DeliveryKind, utcDayOf } from '../intake/event.ts'
import type { Label } from '../intake/labels.ts'
import type { DeliverySum } from '../settlement/store-sums.ts'

/** Selects valid events of a period. All given fields must match. */
export interface RescoreFilter {
  readonly siteKey?: number | undefined
  readonly placementKey?: number | undefined
  readonly campaignKey?: number | undefined
  readonly countryCode?: string | undefined
  readonly deviceType?: string | undefined
  readonly sessionIds?: readonly string[] | undefined
}

export interface Period {
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
}

/** A relabelled event as it was before. */
export interface RescoredEvent {
  readonly kind: DeliveryKind
  readonly source: WinnerSource
  readonly winnerKey: number
  readonly campaignKey: number | null
  readonly advertiserKey: number | null
  readonly placementKey: number | null
  readonly budgetDay: number
  readonly occurredAtMs: number
  readonly chargedMillis: bigint
  readonly wasOverDelivered: boolean
}

/**
 * A link is valid for 30 days as a click and one day otherwise; any event may arrive a day late.
 */
const DAYS_AFTER_DECISION: Record<DeliveryKind, number> = { impression: 2, view: 2, click: 32 }

/** UTC days of the decisions that events of the period can belong to. */
export function decisionDaysOf(kind: DeliveryKind, { fromMs, toMs }: Period): number[] {
  const first = utcDayOf(fromMs) - DAYS_AFTER_DECISION[kind]
  return Array.from({ length: utcDayOf(toMs) + 2 - first }, (_, i) => first + i)
}

/** UTC days that the period touches, and one more: a film may be watched to its end a day later. */
export function statsDaysOf({ fromMs, toMs }: Period): number[] {
  const first = utcDayOf(fromMs)
  return Array.from({ length: utcDayOf(toMs - 1) + 2 - first }, (_, i) => first + i)
}

/** Moves counts from `valid` to the new label. The charged money leaves both. */
export function movedSums(events: readonly RescoredEvent[], label: Label): DeliverySum[] {
  const sums = new Map<string, DeliverySum>()
  for (const event of events) {
    const valid = sumFor(sums, event, 'valid')
    count(valid, event, -1)
    valid.chargedMillis -= event.chargedMillis
    if (event.wasOverDelivered) valid.overDelivered--
    count(sumFor(sums, event, label), event, 1)
  }
  return [...sums.values()]
}

function sumFor(sums: Map<string, DeliverySum>, event: RescoredEvent, label: Label): DeliverySum {
  const { source, winnerKey } = event
  const placementKey = event.placementKey ?? 0
  const bucketMs = bucketOf(event.occurredAtMs)
  const name = `${bucketMs} ${source} ${winnerKey} ${placementKey} ${label}`
  const known = sums.get(name)
  if (known) return known
  const none = { impressions: 0, views: 0, clicks: 0, overDelivered: 0, chargedMillis: 0n }
  const added = { bucketMs, source, winnerKey, placementKey, label, ...none }
  sums.set(name, added)
  return added
}

function count(sum: DeliverySum, { kind }: RescoredEvent, change: 1 | -1): void {
  if (kind === 'impression') sum.impressions += change
  else if (kind === 'view') sum.views += change
  else sum.clicks += change
}
