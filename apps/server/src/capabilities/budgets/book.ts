import type { PacingStrategy, SpendVerdict } from '@placard/decision-engine'

/** What a campaign may spend, as the catalogue says it. Keys are internal ids as safe integers. */
export interface CampaignTerms {
  readonly campaignKey: number
  readonly advertiserKey: number
  readonly dailyMicros: number | undefined
  readonly totalMicros: number | undefined
  readonly strategy: PacingStrategy
  /** A campaign under a bid agent drops Smooth and keeps the hard budget gate. */
  readonly hasBidAgent: boolean
}

export interface AdvertiserTerms {
  readonly advertiserKey: number
  readonly dailyMicros: number | undefined
  /** Budget days are days of this zone. */
  readonly timeZone: string
}

/** Money held for one showing: deducted now, settled or given back later. */
export interface Reservation {
  readonly id: string
  readonly campaignKey: number
  readonly costMicros: number
}

/**
 * What campaigns may spend right now, in memory and synchronous, so that a decision never waits.
 * Invariant: spent + held ≤ limit for campaign day, campaign lifetime and advertiser day.
 */
export interface BudgetBook {
  putAdvertiser(terms: AdvertiserTerms): void
  putCampaign(terms: CampaignTerms): void
  removeCampaign(campaignKey: number): void

  judgeSpend(campaignKey: number, costMicros: number): SpendVerdict
  /** Share of today's budget that is spent or held; 0 without a budget. */
  utilisation(campaignKey: number): number

  /** Undefined when it does not fit any more. Given back by itself when `holdMs` have passed. */
  reserve(order: {
    readonly campaignKey: number
    readonly costMicros: number
    readonly holdMs: number
  }): Reservation | undefined
  /** The showing happened and cost this much, at most what was reserved. */
  confirm(reservationId: string, chargedMicros: number): void
  release(reservationId: string): void
}
