import { NO_LIMIT } from '../book/spend-columns.ts'
import type { Campaign } from '../book/buyers.ts'
import type { LeaseRequest } from './store-leases.ts'

/** A lease covers about this many seconds of spend. */
const LEASE_SECONDS = 10
/**
 * For a campaign without impressions: this fraction of its budget, but at least some impressions.
 */
const IDLE_SHARE = 50
const IMPRESSIONS_MIN = 3
const GRANT_MICROS_MIN = 100_000
/** The spend rate follows the last seconds. */
const RATE_SECONDS = 2
const RATE_MS_MIN = 200
/** How often ended reservations are reported even if nothing else is needed. */
const REPORT_MS = 5_000
/** If nothing is left to lease, the node asks again after growing pauses. */
const RETRY_MS_MIN = 50
const RETRY_MS_MAX = 8_000

export type LeaseNeed = 'request' | 'later' | 'none'

/** What this node has leased of one campaign's day. */
export class CampaignLease {
  readonly campaign: Campaign
  readonly advertiserKey: number
  readonly day: number
  /** The amount of the last grant. */
  amountMicros = 0
  /** Reserved since the last grant, whether charged, ended or still open. */
  usedMicros = 0
  /** The part of `usedMicros` that is confirmed or ended. */
  endedMicros = 0
  /** The part of `usedMicros` that the request on its way reports. */
  reportedMicros = 0
  /** Reserved since the rate was last computed. */
  reservedMicros = 0
  /** Money was reserved or ended since the last request. */
  hasUnreported = false
  isQueued = false
  private rateMicros = 0
  private ratedAtMs = -Infinity
  private grantedAtMs = -Infinity
  private requestAfterMs = -Infinity
  private retryDelayMs = RETRY_MS_MIN

  constructor(campaign: Campaign, day: number) {
    this.campaign = campaign
    this.advertiserKey = campaign.advertiser!.key
    this.day = day
  }

  get freeMicros(): number {
    return this.amountMicros - this.usedMicros
  }

  get isEmpty(): boolean {
    return this.amountMicros === 0 && this.usedMicros === 0 && this.targetFreeMicros() === 0
  }

  /** The free amount to aim for: about ten seconds of spend, nothing for a past day. */
  targetFreeMicros(): number {
    const { isListed, isActive, advertiser, budgetMicros } = this.campaign
    if (!isListed || !isActive || budgetMicros === NO_LIMIT) return 0
    if (advertiser?.key !== this.advertiserKey || advertiser.zone === undefined) return 0
    if (this.day < advertiser.zone.day) return 0
    const idleMicros = Math.max(budgetMicros / IDLE_SHARE, this.grantMicrosMin())
    const activeMicros = Math.max(idleMicros, this.rateMicros * LEASE_SECONDS)
    return Math.ceil(Math.min(activeMicros, budgetMicros))
  }

  /** What to request or report now. Called between requests. */
  judge(nowMs: number): LeaseNeed {
    this.updateRate(nowMs)
    if (nowMs < this.requestAfterMs) return 'later'
    if (this.campaign.budgetMicros === NO_LIMIT && this.amountMicros === 0) return this.releaseAll()
    const targetMicros = this.targetFreeMicros()
    const heldMicros = this.usedMicros - this.endedMicros
    const isShort = targetMicros > 0 && this.freeMicros < targetMicros / 2
    const isTooMuch = this.amountMicros - heldMicros > targetMicros * 2
    if (isShort || (isTooMuch && nowMs >= this.grantedAtMs + 1_000)) return 'request'
    if (this.hasUnreported && nowMs >= this.grantedAtMs + REPORT_MS) return 'request'
    return isTooMuch || this.hasUnreported || this.rateMicros > 0 || heldMicros > 0
      ? 'later'
      : 'none'
  }

  request(targetFreeMicros: number): LeaseRequest {
    this.reportedMicros = this.endedMicros
    this.hasUnreported = false
    const heldMicros = this.usedMicros - this.endedMicros
    return {
      campaignKey: this.campaign.key,
      advertiserKey: this.advertiserKey,
      day: this.day,
      minMicros: targetFreeMicros === 0 ? 0 : heldMicros + Math.ceil(targetFreeMicros / 2),
      targetMicros: heldMicros + targetFreeMicros,
      maxMicros: heldMicros + targetFreeMicros * 2,
      grantMicrosMin: this.grantMicrosMin(),
    }
  }

  applyGrant(amountMicros: number, nowMs: number): void {
    this.amountMicros = amountMicros
    this.usedMicros -= this.reportedMicros
    this.endedMicros -= this.reportedMicros
    this.reportedMicros = 0
    this.grantedAtMs = nowMs
    const isEnough = this.freeMicros >= Math.max(1, this.campaign.highestCostMicros)
    this.retryDelayMs = isEnough ? RETRY_MS_MIN : Math.min(this.retryDelayMs * 2, RETRY_MS_MAX)
    this.requestAfterMs = nowMs + this.retryDelayMs
  }

  /** Something has changed, so a request at once may help. */
  retryNow(): this {
    this.requestAfterMs = -Infinity
    this.retryDelayMs = RETRY_MS_MIN
    return this
  }

  private grantMicrosMin(): number {
    return Math.max(this.campaign.highestCostMicros * IMPRESSIONS_MIN, GRANT_MICROS_MIN)
  }

  /** A campaign without a budget needs no lease. */
  private releaseAll(): LeaseNeed {
    this.usedMicros -= this.endedMicros
    this.endedMicros = 0
    return this.usedMicros > 0 ? 'later' : 'none'
  }

  /** Updates the rate in micros per second. It falls to 0 after a while without spend. */
  private updateRate(nowMs: number): void {
    const elapsedMs = nowMs - this.ratedAtMs
    if (elapsedMs < RATE_MS_MIN) return
    const weight = Math.min(1, elapsedMs / (RATE_SECONDS * 1_000))
    const latest = elapsedMs === Infinity ? 0 : (this.reservedMicros / elapsedMs) * 1_000
    this.rateMicros = this.rateMicros * (1 - weight) + latest * weight
    if (this.rateMicros < 1) this.rateMicros = 0
    this.reservedMicros = elapsedMs === Infinity ? this.reservedMicros : 0
    this.ratedAtMs = nowMs
  }
}
