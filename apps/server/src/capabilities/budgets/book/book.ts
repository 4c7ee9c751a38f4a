import type { PacingStrategy, SpendVerdict } from '@placard/decision-engine'

/** What a campaign may have used of a budget day until its bid agent says more. */
export interface Brake {
  /** Days since 1970-01-01 on the advertiser's calendar; on other days Smooth holds. */
  readonly day: number
  readonly micros: number
}

/** What a campaign may spend, as the catalogue says it. Keys are internal ids as safe integers. */
export interface CampaignTerms {
  readonly campaignKey: number
  readonly advertiserKey: number
  readonly dailyMicros: number | undefined
  readonly totalMicros: number | undefined
  readonly strategy: PacingStrategy
  /** Where a bid agent plans the day: its brake stands in for Smooth, the hard limits stay. */
  readonly brake?: Brake | undefined
  /** False while it cannot be shown anyway; then nothing is leased for it. */
  readonly isActive?: boolean | undefined
  /** The least one showing can cost, 1 where nobody says: with less left the campaign is parked. */
  readonly costMicrosMin?: number | undefined
}

export interface AdvertiserTerms {
  readonly advertiserKey: number
  readonly dailyMicros: number | undefined
  /** Budget days are days of this zone. */
  readonly timeZone: string
}

export interface ReserveRequest {
  readonly campaignKey: number
  readonly costMicros: number
  /** At most twelve hours, and one of a few lengths. */
  readonly holdMs: number
}

export interface Spend {
  readonly campaignKey: number
  readonly day: number
  readonly micros: number
}

/** Money held for one showing: deducted now, settled or given back later. */
export interface Reservation {
  readonly id: string
  readonly campaignKey: number
  readonly costMicros: number
  /** The budget day that pays, in days since 1970 on the advertiser's calendar. */
  readonly day: number
}

/** What the records say is spent. A day counts from 1970-01-01 on the advertiser's calendar. */
export type SpentEntry =
  | {
      readonly level: 'campaign-day'
      readonly campaignKey: number
      readonly day: number
      readonly spentMicros: number
    }
  | {
      readonly level: 'campaign-lifetime'
      readonly campaignKey: number
      readonly spentMicros: number
    }
  | {
      readonly level: 'advertiser-day'
      readonly advertiserKey: number
      readonly day: number
      readonly spentMicros: number
    }

export interface SpendView {
  readonly limitMicros: number | undefined
  readonly spentMicros: number
  readonly heldMicros: number
}

/** One campaign as an admin reads it. */
export interface CampaignView {
  readonly campaignKey: number
  readonly advertiserKey: number | undefined
  /** Today on the advertiser's calendar, in days since 1970-01-01; undefined while it cannot spend. */
  readonly day: number | undefined
  readonly campaignDay: SpendView
  readonly campaignLifetime: SpendView
  readonly advertiserDay: SpendView | undefined
  readonly reservations: number
  /** For a showing at the least cost. */
  readonly verdict: SpendVerdict
}

/** How often things happened since the start. */
export interface BookCounts {
  reserved: number
  /** It did not fit a limit, or the campaign is not known. */
  refused: number
  /** All reservations that memory has room for were taken. */
  refusedFull: number
  confirmed: number
  released: number
  expired: number
  /** Confirmed or released under an id that is unknown or has ended: nothing was done. */
  unknown: number
}

export interface BookSnapshot extends Readonly<BookCounts> {
  readonly campaigns: number
  readonly advertisers: number
  readonly parked: number
  readonly reservations: number
}

/**
 * What campaigns may spend right now, in memory and synchronous, so that a decision never waits.
 * Invariant: spent + held ≤ limit for campaign day, campaign lifetime and advertiser day.
 */
export interface BudgetBook {
  putAdvertiser(terms: AdvertiserTerms): void
  putCampaign(terms: CampaignTerms): void
  removeCampaign(campaignKey: number): void
  /** Spend from before the start. Never lowers what the book knows, so twice is as good as once. */
  restore(entries: Iterable<SpentEntry>): void

  /** So much a showing may cost: before it does, that much should be at hand. */
  expectCost(campaignKey: number, costMicros: number): void
  /** `atMs`: for those who ask several times in one moment; else the clock says. */
  judgeSpend(campaignKey: number, costMicros: number, atMs?: number): SpendVerdict
  /** Share that is spent or held of today's budget, or of the whole one; 0 without a budget. */
  utilisation(campaignKey: number): number

  /** Undefined when it does not fit any more. Given back by itself when `holdMs` have passed. */
  reserve(order: ReserveRequest): Reservation | undefined
  /** There is no place for another reservation until one of them ends. */
  readonly isFull: boolean
  /** The showing happened and cost this much, at most what was reserved. False when it has ended. */
  confirm(reservationId: string, chargedMicros: number): boolean
  /** Spent without a reservation of this book: it counts, whether it fits or not. */
  charge(spend: Spend): void
  /** False when it has ended. */
  release(reservationId: string): boolean

  /**
   * Gives back what has ended and tells `onVerdictChange` which campaigns turned, at most so many,
   * and how many are left to look at. To be called between decisions, at least once a second: the
   * listener changes the index, which a decision in progress does not survive.
   */
  sweep(campaignsMax?: number): number
  findCampaign(campaignKey: number): CampaignView | undefined
  snapshot(): BookSnapshot
}
