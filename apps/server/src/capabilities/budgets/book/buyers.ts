import type { SpendVerdict } from '@placard/decision-engine'
import { NO_LIMIT } from './spend-columns.ts'
import type { Brake } from './book.ts'
import type { CampaignLease } from '../leases/campaign-lease.ts'
import type { ZoneDay } from './zone-day.ts'

/** An advertiser. Without a known zone it has no budget day and may spend nothing. */
export class Advertiser {
  /** Its row in the spend columns. */
  readonly owner: number
  zone: ZoneDay | undefined
  readonly key: number
  readonly campaigns = new Set<Campaign>()
  /** With less than this left, at least one of the advertiser's campaigns is parked. */
  costMicrosMax = 1
  /** Whether its money was nearly used up at the last check. True until the first check. */
  isNearLimit = true
  /** Held for readers that nothing vouches for. */
  unvouchedMicros = 0

  constructor(key: number, owner: number) {
    this.key = key
    this.owner = owner
  }
}

/** A campaign's terms and its last published verdict. Fields that every check reads come first. */
export class Campaign {
  /** Its row in the spend columns. */
  readonly owner: number
  advertiser: Advertiser | undefined
  /** False after it is removed, and while only its spend is known. */
  isListed = false
  isSmooth = false
  brake: Brake | undefined
  readonly key: number
  costMicrosMin = 1
  /** The lowest of its limits. Only a campaign with a limit needs a lease. */
  budgetMicros = NO_LIMIT
  /** Only active campaigns lease ahead of their first request. */
  isActive = true
  /** The highest cost of an impression so far. */
  highestCostMicros = 0
  /** Leases of the latest even and odd day. */
  readonly leases: [CampaignLease | undefined, CampaignLease | undefined] = [undefined, undefined]
  reservations = 0
  /** Held for readers that nothing vouches for. */
  unvouchedMicros = 0
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
