import { DAY_MS, HOUR_MS } from '@placard/calendar'
import type { CapScope, FrequencyWindow } from '@placard/decision-engine'
import type { TrackedEvent } from '../intake/event.ts'
import type { Label } from '../intake/labels.ts'
import type { BilledEvent } from './store-events.ts'
import type { DeliverySum } from './store-sums.ts'

const BUCKET_MS = 15 * 60_000

export const bucketOf = (ms: number): number => ms - (ms % BUCKET_MS)

/** Adds up deliveries by 15 minutes, winner, placement and label. */
export class DeliverySums {
  private readonly sums = new Map<string, DeliverySum>()

  add({ event, billing, chargedMillis, isCounted }: BilledEvent): void {
    const sum = this.sumOf(event, event.label)
    if (!isCounted) count(sum, event)
    sum.chargedMillis += chargedMillis
    if (billing === 'over-delivery') sum.overDelivered++
  }

  /** A repeat counts as `duplicate`, whatever its own label. */
  addRepeat(event: TrackedEvent): void {
    count(this.sumOf(event, 'duplicate'), event)
  }

  list(): DeliverySum[] {
    return [...this.sums.values()]
  }

  private sumOf(event: TrackedEvent, label: Label): DeliverySum {
    const { source, winnerKey, placementKey = 0 } = event
    const bucketMs = bucketOf(event.occurredAtMs)
    const name = `${bucketMs} ${source} ${winnerKey} ${placementKey} ${label}`
    const known = this.sums.get(name)
    if (known) return known
    const counts = { impressions: 0, views: 0, clicks: 0, overDelivered: 0, chargedMillis: 0n }
    const added = { bucketMs, source, winnerKey, placementKey, label, ...counts }
    this.sums.set(name, added)
    return added
  }
}

function count(sum: DeliverySum, { kind }: TrackedEvent): void {
  if (kind === 'impression') sum.impressions++
  else if (kind === 'view') sum.views++
  else if (kind === 'click') sum.clicks++
}

/** A capped target in one window. */
export interface CapTarget {
  readonly scope: CapScope
  readonly key: number
  readonly window: FrequencyWindow
}

/** How often one user saw one target within one calendar window. */
export interface FrequencyCount extends CapTarget {
  readonly userKey: string
  readonly startMs: number
  impressions: number
}

const MONDAY_MS = 4 * DAY_MS // 1970-01-05

/** UTC calendar windows: hour, day, ISO week, month. A lifetime starts at the epoch. */
const STARTS: Record<FrequencyWindow, (atMs: number) => number> = {
  Hour: (atMs) => atMs - (atMs % HOUR_MS),
  Day: (atMs) => atMs - (atMs % DAY_MS),
  Week: (atMs) => atMs - ((atMs - MONDAY_MS) % (7 * DAY_MS)),
  Month: (atMs) => {
    const at = new Date(atMs)
    return Date.UTC(at.getUTCFullYear(), at.getUTCMonth())
  },
  Lifetime: () => 0,
}

export const windowStart = (window: FrequencyWindow, atMs: number): number => STARTS[window](atMs)

/** Only valid impressions of known users count towards a cap. */
export const countsForCaps = (event: TrackedEvent): event is TrackedEvent & { userKey: string } =>
  event.kind === 'impression' && event.label === 'valid' && event.userKey !== undefined

export function sumCounts(
  events: readonly TrackedEvent[],
  targets: readonly CapTarget[],
): FrequencyCount[] {
  const windowsOf = Map.groupBy(targets, ({ scope, key }) => `${scope} ${key}`)
  const counts = new Map<string, FrequencyCount>()
  for (const event of events.filter(countsForCaps)) {
    const capped = ownersOf(event).flatMap((owner) => windowsOf.get(owner) ?? [])
    for (const target of capped) addOne(counts, target, event)
  }
  return [...counts.values()]
}

function addOne(
  counts: Map<string, FrequencyCount>,
  target: CapTarget,
  { userKey, occurredAtMs }: { readonly userKey: string; readonly occurredAtMs: number },
): void {
  const startMs = windowStart(target.window, occurredAtMs)
  const name = countName({ ...target, userKey, startMs })
  const count = counts.get(name)
  if (count) count.impressions++
  else counts.set(name, { ...target, userKey, startMs, impressions: 1 })
}

export const countName = (count: Omit<FrequencyCount, 'impressions'>): string =>
  `${count.userKey} ${count.scope} ${count.key} ${count.window} ${count.startMs}`

const ownersOf = ({ source, winnerKey, campaignKey, advertiserKey }: TrackedEvent): string[] => [
  ...(source === 'ad' ? [`ad ${winnerKey}`] : []),
  `campaign ${campaignKey}`,
  `advertiser ${advertiserKey}`,
]
