import type { SpendVerdict } from '@placard/decision-engine'
import type { Advertiser, Campaign } from './buyers.ts'

/** In every time zone of today, the hours of budget days begin at a quarter of an hour. */
const QUARTER_MS = 900_000

/** Taken entries are removed in blocks, so that the list does not grow without end. */
const DEQUEUED_MAX = 10_000

/**
 * Queue of campaigns whose verdict may have changed: their terms changed, or their verdict differs
 * from the published one. `sweep` judges them later, so several changes publish at most one verdict.
 */
export class VerdictChanges {
  readonly parked = new Set<Campaign>()
  private queue: Campaign[] = []
  private next = 0
  private quarter = -Infinity

  get size(): number {
    return this.queue.length - this.next
  }

  enqueue(campaign: Campaign): void {
    if (campaign.isQueued) return
    campaign.isQueued = true
    this.queue.push(campaign)
  }

  enqueueAll({ campaigns }: Advertiser): void {
    for (const campaign of campaigns) this.enqueue(campaign)
  }

  /**
   * Time can allow a parked campaign to spend: the next hour allows more, and a new day has no
   * spend yet. If the first hours of a day allow less than one impression, the next check enqueues
   * the campaign.
   */
  enqueueParked(nowMs: number): void {
    const quarter = Math.floor(nowMs / QUARTER_MS)
    if (quarter === this.quarter) return
    this.quarter = quarter
    for (const campaign of this.parked) this.enqueue(campaign)
  }

  dequeue(): Campaign | undefined {
    const campaign = this.queue[this.next]
    if (campaign === undefined) {
      this.queue = []
      this.next = 0
      return undefined
    }
    this.next++
    if (this.next === DEQUEUED_MAX) {
      this.queue = this.queue.slice(DEQUEUED_MAX)
      this.next = 0
    }
    campaign.isQueued = false
    return campaign
  }

  /** True if the verdict is new. */
  publish(campaign: Campaign, verdict: SpendVerdict): boolean {
    if (campaign.publishedVerdict === verdict) return false
    campaign.publishedVerdict = verdict
    if (verdict === 'may-spend') this.parked.delete(campaign)
    else this.parked.add(campaign)
    return true
  }
}
