import type { SpendVerdict } from '@placard/decision-engine'
import type { Advertiser, Campaign } from './buyers.ts'

/** Hours of budget days begin at quarters of an hour, in every zone of today. */
const QUARTER_MS = 900_000

/** So that the list does not grow at its end while it is taken from at its beginning. */
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
   * Time sets free: an hour allows more than the one before, a new day has spent nothing. Where the
   * first hours of a day allow less than one showing, the next question notes it.
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

  /** True when this is news. */
  publish(campaign: Campaign, verdict: SpendVerdict): boolean {
    if (campaign.publishedVerdict === verdict) return false
    campaign.publishedVerdict = verdict
    if (verdict === 'may-spend') this.parked.delete(campaign)
    else this.parked.add(campaign)
    return true
  }
}
