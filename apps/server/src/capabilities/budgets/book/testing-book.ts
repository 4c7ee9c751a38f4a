import type { SpendVerdict } from '@placard/decision-engine'
import { fixedClock, seededRandom } from '../../../testing/fixed.ts'
import type { AdvertiserTerms, BudgetBook, CampaignTerms, Reservation } from './book.ts'
import type { HoldShares } from './hold-share.ts'
import { createBudgetBook } from './memory-book.ts'

export const CAMPAIGN = 11
export const ADVERTISER = 1
export const HOLD_MS = 60_000

export const campaignTerms = (terms: Partial<CampaignTerms> = {}): CampaignTerms => ({
  campaignKey: CAMPAIGN,
  advertiserKey: ADVERTISER,
  dailyMicros: undefined,
  totalMicros: undefined,
  strategy: 'Accelerated',
  ...terms,
})

export const advertiserTerms = (terms: Partial<AdvertiserTerms> = {}): AdvertiserTerms => ({
  advertiserKey: ADVERTISER,
  dailyMicros: undefined,
  timeZone: 'UTC',
  ...terms,
})

interface World {
  readonly start?: string
  readonly campaign?: Partial<CampaignTerms>
  readonly advertiser?: Partial<AdvertiserTerms>
  readonly reservationsMax?: number
  readonly holdShares?: HoldShares
}

/** A book with one advertiser and one campaign, and the verdicts it published. */
export function openBook({ start, campaign, advertiser, ...options }: World = {}) {
  const clock = fixedClock(start)
  const published: [number, SpendVerdict][] = []
  const onVerdictChange = (key: number, verdict: SpendVerdict) => published.push([key, verdict])
  const book = createBudgetBook({ clock, random: seededRandom(), onVerdictChange, ...options })
  book.putAdvertiser(advertiserTerms(advertiser))
  book.putCampaign(campaignTerms(campaign))
  return { book, clock, published }
}

export function reserve(
  book: BudgetBook,
  costMicros: number,
  campaignKey = CAMPAIGN,
): Reservation | undefined {
  return book.reserve({ campaignKey, costMicros, holdMs: HOLD_MS })
}

/** Throws if it does not fit. */
export function spend(book: BudgetBook, costMicros: number, campaignKey = CAMPAIGN): void {
  const reservation = reserve(book, costMicros, campaignKey)
  if (reservation === undefined) throw new Error(`${costMicros} micros do not fit`)
  book.confirm(reservation.id, costMicros)
}

/** Spent and held of the campaign, today and for its lifetime. */
export function money(book: BudgetBook, campaignKey = CAMPAIGN) {
  const view = book.findCampaign(campaignKey)!
  const { campaignDay, campaignLifetime } = view
  return {
    today: [campaignDay.spentMicros, campaignDay.heldMicros],
    inAll: [campaignLifetime.spentMicros, campaignLifetime.heldMicros],
  }
}
