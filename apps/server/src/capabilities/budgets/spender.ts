import type { SpendVerdict } from '@placard/decision-engine'
import type { AdvertiserTerms, CampaignTerms } from './book.ts'
import type { ZoneDay } from './zone-day.ts'

/** No limit is the highest amount that is still counted exactly. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** Who buys. Without a zone (not put yet, or unknown) it has no budget day and may spend nothing. */
export class Advertiser {
  readonly key: number
  readonly accounts: number
  readonly campaigns = new Set<Campaign>()
  zone: ZoneDay | undefined
  dailyLimit = NO_LIMIT
  /** Below this some campaign of the advertiser is stopped. */
  costMax = 1
  /** Was it near the end of its money when last looked at? True while that is not known. */
  isTight = true

  constructor(key: number, accounts: number) {
    this.key = key
    this.accounts = accounts
  }

  put(terms: AdvertiserTerms, zone: ZoneDay | undefined): void {
    this.dailyLimit = limitOf(terms.dailyMicros)
    this.zone = zone
  }
}

/** A campaign's terms and what was last told about it; its money is in the accounts. */
export class Campaign {
  readonly key: number
  readonly accounts: number
  advertiser: Advertiser | undefined
  isListed = false
  isSmooth = false
  dailyLimit = NO_LIMIT
  totalLimit = NO_LIMIT
  costMin = 1
  reservations = 0
  told: SpendVerdict = 'may-spend'
  isWaiting = false

  constructor(key: number, accounts: number) {
    this.key = key
    this.accounts = accounts
  }

  put(terms: CampaignTerms): void {
    this.dailyLimit = limitOf(terms.dailyMicros)
    this.totalLimit = limitOf(terms.totalMicros)
    this.costMin = wholeMicros(terms.costMicrosMin ?? 1)
    this.isSmooth =
      terms.strategy === 'Smooth' && !terms.hasBidAgent && terms.dailyMicros !== undefined
    this.isListed = true
  }

  moveTo(advertiser: Advertiser): void {
    this.advertiser?.campaigns.delete(this)
    this.advertiser = advertiser
    advertiser.campaigns.add(this)
    advertiser.costMax = Math.max(advertiser.costMax, this.costMin)
    advertiser.isTight = true
  }
}

export function wholeMicros(amount: number): number {
  if (Number.isSafeInteger(amount) && amount >= 0) return amount
  throw new RangeError(`${amount} is not a whole number of micros`)
}

function limitOf(micros: number | undefined): number {
  return micros === undefined ? NO_LIMIT : wholeMicros(micros)
}
