import { NO_LIMIT } from '../book/spend-columns.ts'
import type { Campaign } from '../book/buyers.ts'
import type { LeaseRequest } from './store-leases.ts'

/** A lease lasts about so long. */
const LEASE_SECONDS = 10
/** Of a campaign that shows nothing: this part of its budget, and at least some showings. */
const IDLE_SHARE = 50
const IMPRESSIONS_MIN = 3
const GRANT_MICROS_MIN = 100_000
/** The rate follows the last seconds. */
const RATE_SECONDS = 2
const RATE_MS_MIN = 200
/** What is over is published so often, even if nothing else is needed. */
const REPORT_MS = 5_000
/** Where nothing is left to lease, asking again waits longer and longer. */
const RETRY_MS_MIN = 50
const RETRY_MS_MAX = 8_000

export type LeaseNeed = 'request' | 'later' | 'none'

/** What this node holds of one campaign's day. */
export class CampaignLease {
  readonly campaign: Campaign
  readonly advertiserKey: number
  readonly day: number
  /** As the database said last. */
  amountMicros = 0
  /** Reserved, whatever became of it, since the database was last published. */
  usedMicros = 0
  /** Of these: confirmed or ended. */
  endedMicros = 0
  /** Of these: published with the question that is on its way. */
  reportedMicros = 0
  /** Reserved since the rate was last worked out. */
  reservedMicros = 0
  /** Money was reserved or is over since the last question. */
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

  /** What should be free: about ten seconds of spend, nothing for a day that is over. */
  targetFreeMicros(): number {
    const { isListed, isActive, advertiser, budgetMicros } = this.campaign
    if (!isListed || !isActive || budgetMicros === NO_LIMIT) return 0
    if (advertiser?.key !== this.advertiserKey || advertiser.zone === undefined) return 0
    if (this.day < advertiser.zone.day) return 0
    const idle = Math.max(budgetMicros / IDLE_SHARE, this.grantMicrosMin())
    const wanted = Math.max(idle, this.rateMicros * LEASE_SECONDS)
    return Math.ceil(Math.min(wanted, budgetMicros))
  }

  /** Looked at between questions: what is there to tell or to request? */
  judge(nowMs: number): LeaseNeed {
    this.follow(nowMs)
    if (nowMs < this.requestAfterMs) return 'later'
    if (this.campaign.budgetMicros === NO_LIMIT && this.amountMicros === 0) return this.forget()
    const want = this.targetFreeMicros()
    const heldMicros = this.usedMicros - this.endedMicros
    const isShort = want > 0 && this.freeMicros < want / 2
    const isTooMuch = this.amountMicros - heldMicros > want * 2
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

  /** Something has changed, so that asking again at once may help. */
  retryNow(): this {
    this.requestAfterMs = -Infinity
    this.retryDelayMs = RETRY_MS_MIN
    return this
  }

  private grantMicrosMin(): number {
    return Math.max(this.campaign.highestCostMicros * IMPRESSIONS_MIN, GRANT_MICROS_MIN)
  }

  /** Without a budget nothing is leased, and nobody has to be published. */
  private forget(): LeaseNeed {
    this.usedMicros -= this.endedMicros
    this.endedMicros = 0
    return this.usedMicros > 0 ? 'later' : 'none'
  }

  /** Micros per second; forgotten when nothing came for a while. */
  private follow(nowMs: number): void {
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
