import type { PacingStrategy, SpendVerdict } from '@placard/decision-engine'
import type { Clock, Uptime } from '../../../platform/clock.ts'
import type { Random } from '../../../platform/random.ts'
import type { Holder, HoldShares, ShareRefusal } from './hold-share.ts'

/** The most a campaign may have used of a budget day, until its bid agent sends a new value. */
export interface Brake {
  /** Days since 1970-01-01 on the advertiser's calendar. On other days Smooth applies. */
  readonly day: number
  readonly micros: number
}

/** A campaign's limits from the catalogue. Keys are internal ids as safe integers. */
export interface CampaignTerms {
  readonly campaignKey: number
  readonly advertiserKey: number
  readonly dailyMicros: number | undefined
  readonly totalMicros: number | undefined
  readonly strategy: PacingStrategy
  /** Set if a bid agent plans the day: the brake replaces Smooth, the hard limits stay. */
  readonly brake?: Brake | undefined
  /** False while the campaign cannot run: then the node leases nothing for it. */
  readonly isActive?: boolean | undefined
  /** The lowest cost of an impression, 1 if unset. With less left, the campaign is parked. */
  readonly costMicrosMin?: number | undefined
}

export interface AdvertiserTerms {
  readonly advertiserKey: number
  readonly dailyMicros: number | undefined
  /** Time zone of its budget days. */
  readonly timeZone: string
}

export interface ReserveRequest {
  readonly campaignKey: number
  readonly costMicros: number
  /** At most twelve hours. Use few different lengths. */
  readonly holdMs: number
  /** Undefined for a reader whom a key vouches for: that one may hold whatever fits. */
  readonly holder?: Holder | undefined
  /** What the next showing may cost. A holder rarely gets the last showing of a budget. */
  readonly nextCostMicros?: number | undefined
}

export interface Spend {
  readonly campaignKey: number
  readonly day: number
  readonly micros: number
}

/** Money held for one impression: deducted now, charged or given back later. */
export interface Reservation {
  readonly id: string
  readonly campaignKey: number
  readonly costMicros: number
  /** The budget day that pays, in days since 1970-01-01 on the advertiser's calendar. */
  readonly day: number
}

/** Spend in the database. A day counts from 1970-01-01 on the advertiser's calendar. */
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

/** One campaign, for the admin API. */
export interface CampaignView {
  readonly campaignKey: number
  readonly advertiserKey: number | undefined
  /** Today on the advertiser's calendar, in days since 1970-01-01. Undefined if it cannot spend. */
  readonly day: number | undefined
  readonly campaignDay: SpendView
  readonly campaignLifetime: SpendView
  readonly advertiserDay: SpendView | undefined
  readonly reservations: number
  /** The verdict for an impression at the lowest cost. */
  readonly verdict: SpendVerdict
}

/** Counters since the process started. */
export interface BookCounts {
  reserved: number
  /** It did not fit a limit, or the campaign is unknown. */
  refused: number
  /** The table of reservations was full. */
  refusedFull: number
  /** It fitted, but the holder, or all that nothing vouches for, hold enough of the budget. */
  refusedShare: Readonly<Record<ShareRefusal, number>>
  confirmed: number
  released: number
  expired: number
  /** Confirmed or released with an id that is unknown or expired. Nothing was done. */
  unknown: number
}

export interface BookSnapshot extends Readonly<BookCounts> {
  readonly campaigns: number
  readonly advertisers: number
  readonly parked: number
  readonly reservations: number
}

export interface BookOptions {
  readonly clock: Clock
  readonly random: Random
  /** Called with a changed verdict, only by `sweep`. */
  readonly onVerdictChange?: (campaignKey: number, verdict: SpendVerdict) => void
  /** Above this number, `reserve` refuses. It limits memory, not money. */
  readonly reservationsMax?: number
  /** With a lease store, every reservation needs a lease. */
  readonly uptime?: Uptime
  /** What readers without a key may hold of a budget. */
  readonly holdShares?: HoldShares
}

/**
 * What campaigns may spend now. In memory and synchronous, so a decision never waits. Invariant:
 * spent + held ≤ limit for campaign day, campaign lifetime and advertiser day.
 */
export interface BudgetBook {
  putAdvertiser(terms: AdvertiserTerms): void
  putCampaign(terms: CampaignTerms): void
  removeCampaign(campaignKey: number): void
  /** Adds spend from before the start. Never lowers a known amount, so twice equals once. */
  restore(entries: Iterable<SpentEntry>): void

  /** Expected cost of an impression: the campaign leases at least this much in advance. */
  expectCost(campaignKey: number, costMicros: number): void
  /** Pass `atMs` to judge several costs at one instant. Default: now. */
  judgeSpend(campaignKey: number, costMicros: number, atMs?: number): SpendVerdict
  /** Spent or held share of today's budget, else of the lifetime budget. 0 without a budget. */
  utilisation(campaignKey: number): number

  /** Undefined if it does not fit. Expires by itself after `holdMs`. */
  reserve(order: ReserveRequest): Reservation | undefined
  /** No row is free for another reservation until one ends. */
  readonly isFull: boolean
  /**
   * The impression arrived and cost this much, at most the reserved amount. False if the
   * reservation has ended.
   */
  confirm(reservationId: string, chargedMicros: number): boolean
  /** Adds spend without a reservation of this book, even if it does not fit. */
  charge(spend: Spend): void
  /** False if the reservation has ended. */
  release(reservationId: string): boolean

  /**
   * Gives back expired reservations and passes changed verdicts to `onVerdictChange`, at most
   * `campaignsMax`. Returns how many campaigns are left to judge. Call it between decisions, at
   * least once a second: the listener changes the index, which a decision in progress does not
   * survive.
   */
  sweep(campaignsMax?: number): number
  findCampaign(campaignKey: number): CampaignView | undefined
  snapshot(): BookSnapshot
}
