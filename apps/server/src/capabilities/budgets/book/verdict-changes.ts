import type { SpendVerdict } from '@placard/decision-engine'
import type { Advertiser, Campaign } from './buyers.ts'

/** Hours of budget days begin at quarters of an hour, in every zone of today. */
const QUARTER_MS = 900_000

/** So that the list does not grow at its end while it is taken from at its beginning. */
const TAKEN_MAX = 10_000

/**
 * Which campaigns may have turned from spending to not spending or back: those whose terms changed,
 * and those whose verdict differs from what was told. The turn itself is told later, if it still is
 * one: many changes become one.
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
    if (this.next === TAKEN_MAX) {
      this.waiting = this.waiting.slice(TAKEN_MAX)
      this.next = 0
    }
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
