import type { SpendVerdict } from '@placard/decision-engine'
import { NO_LIMIT } from './spend-columns.ts'
import type { Brake } from './book.ts'
import type { CampaignLease } from '../leases/campaign-lease.ts'
import type { ZoneDay } from './zone-day.ts'

/** Who buys. Without a zone (not put yet, or unknown) it has no budget day and may spend nothing. */
export class Advertiser {
  /** Where its money is. */
  readonly owner: number
  zone: ZoneDay | undefined
  readonly key: number
  readonly campaigns = new Set<Campaign>()
  /** With less than this left, some campaign of the advertiser is stopped. */
  costMicrosMax = 1
  /** Was it near the end of its money when last looked at? True while that is not known. */
  isNearLimit = true

  constructor(key: number, owner: number) {
    this.key = key
    this.owner = owner
  }
}

/** A campaign's terms and what was last published about it; the fields of every question come first. */
export class Campaign {
  /** Where its money is. */
  readonly owner: number
  advertiser: Advertiser | undefined
  /** False once it is removed, and while only its spend is known. */
  isListed = false
  isSmooth = false
  brake: Brake | undefined
  readonly key: number
  costMicrosMin = 1
  /** The least of its limits; only what has one needs a lease. */
  budgetMicros = NO_LIMIT
  /** Only active ones lease ahead of the first request. */
  isActive = true
  /** The dearest showing so far. */
  highestCostMicros = 0
  /** Leased on the latest even and odd day. */
  readonly leases: [CampaignLease | undefined, CampaignLease | undefined] = [undefined, undefined]
  reservations = 0
  publishedVerdict: SpendVerdict = 'may-spend'
  isQueued = false

  constructor(key: number, owner: number) {
    this.key = key
    this.owner = owner
  }

  moveTo(advertiser: Advertiser): void {
    this.advertiser?.campaigns.delete(this)
    this.advertiser = advertiser
    advertiser.campaigns.add(this)
    advertiser.costMicrosMax = Math.max(advertiser.costMicrosMax, this.costMicrosMin)
    advertiser.isNearLimit = true
  }
}

export function wholeMicros(amount: number): number {
  if (Number.isSafeInteger(amount) && amount >= 0) return amount
  throw new RangeError(`${amount} is not a whole number of micros`)
}
