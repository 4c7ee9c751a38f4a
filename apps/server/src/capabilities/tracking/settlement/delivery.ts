import type { TrackedEvent } from '../intake/event.ts'
import type { Label } from '../intake/quality.ts'
import type { BilledEvent } from './store-events.ts'
import type { DeliverySum } from './store-sums.ts'

const BUCKET_MS = 15 * 60_000

export const bucketOf = (ms: number): number => ms - (ms % BUCKET_MS)

/** Adds up deliveries by 15 minutes, winner, placement and label. */
export class DeliverySums {
  private readonly sums = new Map<string, DeliverySum>()

  add({ event, billing, chargedMillis }: BilledEvent): void {
    const sum = this.sumOf(event, event.label)
    count(sum, event)
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
  else sum.clicks++
}
