import { NO_LIMIT } from '../book/spend-columns.ts'
import type { Campaign } from '../book/buyers.ts'
import type { LeaseAsk } from './store-leases.ts'

/** A slice lasts about so long. */
const SLICE_SECONDS = 10
/** Of a campaign that shows nothing: this part of its budget, and at least some showings. */
const IDLE_SHARE = 50
const SHOWINGS_MIN = 3
const SLICE_MICROS_MIN = 100_000
/** The rate follows the last seconds. */
const RATE_SECONDS = 2
const RATE_MS_MIN = 200
/** What is over is told so often, even if nothing else is needed. */
const TELL_MS = 5_000
/** Where nothing is left to lease, asking again waits longer and longer. */
const PATIENCE_MS_MIN = 50
const PATIENCE_MS_MAX = 8_000

export type SliceVerdict = 'ask' | 'later' | 'quiet'

/** What this node holds of one campaign's day. */
export class Slice {
  readonly campaign: Campaign
  readonly advertiserKey: number
  readonly day: number
  /** As the database said last. */
  amountMicros = 0
  /** Reserved, whatever became of it, since the database was last told. */
  usedMicros = 0
  /** Of these: confirmed or ended. */
  endedMicros = 0
  /** Of these: told with the question that is on its way. */
  askedMicros = 0
  /** Reserved since the rate was last worked out. */
  reservedMicros = 0
  /** Money was reserved or is over since the last question. */
  isUntold = false
  isNoted = false
  private rateMicros = 0
  private ratedAtMs = -Infinity
  private answeredAtMs = -Infinity
  private askAfterMs = -Infinity
  private patienceMs = PATIENCE_MS_MIN

  constructor(campaign: Campaign, day: number) {
    this.campaign = campaign
    this.advertiserKey = campaign.advertiser!.key
    this.day = day
  }

  get freeMicros(): number {
    return this.amountMicros - this.usedMicros
  }

  get isEmpty(): boolean {
    return this.amountMicros === 0 && this.usedMicros === 0 && this.wantMicros() === 0
  }

  /** What should be free: about ten seconds of spend, nothing for a day that is over. */
  wantMicros(): number {
    const { isListed, isActive, advertiser, budgetMicros } = this.campaign
    if (!isListed || !isActive || budgetMicros === NO_LIMIT) return 0
    if (advertiser?.key !== this.advertiserKey || advertiser.zone === undefined) return 0
    if (this.day < advertiser.zone.day) return 0
    const idle = Math.max(budgetMicros / IDLE_SHARE, this.sliceMicrosMin())
    const wanted = Math.max(idle, this.rateMicros * SLICE_SECONDS)
    return Math.ceil(Math.min(wanted, budgetMicros))
  }

  /** Looked at between questions: what is there to tell or to ask? */
  judge(nowMs: number): SliceVerdict {
    this.follow(nowMs)
    if (nowMs < this.askAfterMs) return 'later'
    if (this.campaign.budgetMicros === NO_LIMIT && this.amountMicros === 0) return this.forget()
    const want = this.wantMicros()
    const heldMicros = this.usedMicros - this.endedMicros
    const isShort = want > 0 && this.freeMicros < want / 2
    const isTooMuch = this.amountMicros - heldMicros > want * 2
    if (isShort || (isTooMuch && nowMs >= this.answeredAtMs + 1_000)) return 'ask'
    if (this.isUntold && nowMs >= this.answeredAtMs + TELL_MS) return 'ask'
    return isTooMuch || this.isUntold || this.rateMicros > 0 || heldMicros > 0 ? 'later' : 'quiet'
  }

  ask(wantMicros: number): LeaseAsk {
    this.askedMicros = this.endedMicros
    this.isUntold = false
    const heldMicros = this.usedMicros - this.endedMicros
    return {
      campaignKey: this.campaign.key,
      advertiserKey: this.advertiserKey,
      day: this.day,
      leastMicros: wantMicros === 0 ? 0 : heldMicros + Math.ceil(wantMicros / 2),
      aimMicros: heldMicros + wantMicros,
      mostMicros: heldMicros + wantMicros * 2,
      sliceMicrosMin: this.sliceMicrosMin(),
    }
  }

  take(amountMicros: number, nowMs: number): void {
    this.amountMicros = amountMicros
    this.usedMicros -= this.askedMicros
    this.endedMicros -= this.askedMicros
    this.askedMicros = 0
    this.answeredAtMs = nowMs
    const isEnough = this.freeMicros >= Math.max(1, this.campaign.costMicrosSeen)
    this.patienceMs = isEnough ? PATIENCE_MS_MIN : Math.min(this.patienceMs * 2, PATIENCE_MS_MAX)
    this.askAfterMs = nowMs + this.patienceMs
  }

  /** Something has changed, so that asking again at once may help. */
  hurried(): this {
    this.askAfterMs = -Infinity
    this.patienceMs = PATIENCE_MS_MIN
    return this
  }

  private sliceMicrosMin(): number {
    return Math.max(this.campaign.costMicrosSeen * SHOWINGS_MIN, SLICE_MICROS_MIN)
  }

  /** Without a budget nothing is leased, and nobody has to be told. */
  private forget(): SliceVerdict {
    this.usedMicros -= this.endedMicros
    this.endedMicros = 0
    return this.usedMicros > 0 ? 'later' : 'quiet'
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
