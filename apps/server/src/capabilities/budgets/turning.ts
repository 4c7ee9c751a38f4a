import type { SpendVerdict } from '@placard/decision-engine'
import type { Advertiser, Campaign } from './spender.ts'

/** Hours of budget days begin at quarters of an hour, in every zone of today. */
const QUARTER_MS = 900_000

/**
 * Which campaigns may have turned from spending to not spending or back. Whatever moves money or
 * terms notes the campaign, and so does an answer that differs from what was told; the verdict
 * itself is asked later, once for many changes.
 */
export class Turning {
  readonly parked = new Set<Campaign>()
  private waiting: Campaign[] = []
  private next = 0
  private quarter = -Infinity

  get size(): number {
    return this.waiting.length - this.next
  }

  note(campaign: Campaign): void {
    if (campaign.isWaiting) return
    campaign.isWaiting = true
    this.waiting.push(campaign)
  }

  noteAll({ campaigns }: Advertiser): void {
    for (const campaign of campaigns) this.note(campaign)
  }

  /**
   * Time sets free: an hour allows more than the one before, a new day has spent nothing. Where the
   * first hours of a day allow less than one showing, the next question notes it.
   */
  noteTime(nowMs: number): void {
    const quarter = Math.floor(nowMs / QUARTER_MS)
    if (quarter === this.quarter) return
    this.quarter = quarter
    for (const campaign of this.parked) this.note(campaign)
  }

  take(): Campaign | undefined {
    const campaign = this.waiting[this.next]
    if (campaign === undefined) {
      this.waiting = []
      this.next = 0
      return undefined
    }
    this.next++
    campaign.isWaiting = false
    return campaign
  }

  /** True when this is news. */
  tell(campaign: Campaign, verdict: SpendVerdict): boolean {
    if (campaign.told === verdict) return false
    campaign.told = verdict
    if (verdict === 'may-spend') this.parked.delete(campaign)
    else this.parked.add(campaign)
    return true
  }
}
