import { DAY_MS, DAY_SECONDS, localDay, ZoneClocks } from '@placard/calendar'
import {
  bucketOf,
  type CampaignPace,
  clearStale,
  type DayKind,
  finishBucket,
  finishDay,
  isExhausted,
  newPace,
  newTrafficShape,
  nextThrottle,
  noteArrival,
  noteRequest,
  type PaceState,
  type PaceTotals,
  type PacingConfig,
  rollOver,
  sumPaces,
  trafficCdf,
  type TrafficShape,
} from '@placard/decision-engine'
import type { BudgetBook, Holder } from '../../budgets/index.ts'
import type { PacingFields } from '../catalogue/catalogue-rows.ts'
import type { Content, SiteContent } from '../catalogue/content.ts'
import type { HolderLimits } from './holder-limits.ts'

/** How long the sums over a site's campaigns are reused. */
const TOTALS_MS = 1_000
/** Click rate assumed when a plan converts click bids to impressions. */
const CLICKS_PER_IMPRESSION = 0.012
const PAID_CALLS_MIN = 50
const PAID_WEIGHT = 0.01

export interface SitePace {
  /** Share of page calls to leave empty. */
  readonly throttle: number
  /** Whether this call is left empty. */
  readonly isHeld: boolean
  /** Share of the day's traffic that should be over by now. */
  readonly expectedShare: number
}

interface PacedDay {
  readonly startMs: number
  readonly endMs: number
  readonly kind: DayKind
}

interface SiteState {
  pacing: PacingFields
  day: PacedDay
  bucket: number
  pace: PaceState
  shape: TrafficShape
  sums: SiteSums
  sumsUntilMs: number
  exhaustedAtFraction: number | undefined
  /** Grows by 1 - throttle with each call; a call that gets through costs 1. */
  credit: number
  /** Of the last call that counted. */
  throttle: number
  /** Mean payment of the page calls let through, and how many such calls it comes from. */
  paidMicros: number
  paidCalls: number
}

interface SiteSums {
  readonly totals: PaceTotals
  /** Whether campaigns without a daily budget remain when the day's budgets are spent. */
  readonly servesUnpaced: boolean
}

export interface SitePacingDeps {
  readonly content: Content
  readonly budgets: BudgetBook
  /** Campaigns with a bid agent. It plans their day, so the site does not plan it as well. */
  readonly agents?: { has(campaignKey: number): boolean } | undefined
  /** How many page calls of one address count. */
  readonly callLimits?: HolderLimits | undefined
}

/** Paces every site: one controller each, which learns the traffic from arrivals. */
export class SitePacing {
  private readonly deps: SitePacingDeps
  private readonly zones = new ZoneClocks()
  private readonly states = new Map<number, SiteState>()

  constructor(deps: SitePacingDeps) {
    this.deps = deps
  }

  /**
   * Counts a page call, served or not, so call it before anything waits. Calls of one address beyond
   * its limit are not counted, and get an ad only while nothing is held back: a stranger neither
   * bends the traffic that the site expects nor takes its readers' turns.
   */
  arrive(site: SiteContent, nowMs: number, holder?: Holder): SitePace {
    const state = this.stateOf(site, nowMs)
    if (nowMs >= state.day.endMs) this.startDay(state, site, nowMs)
    const { day } = state
    const fraction = (nowMs - day.startMs) / (day.endMs - day.startMs)
    this.finishBuckets(state, bucketOf(fraction))

    const config = configOf(site.pacing, day)
    const volumes = state.shape[day.kind]
    const expectedShare = trafficCdf(volumes, fraction)
    if (!this.counts(holder, nowMs)) {
      return { throttle: state.throttle, isHeld: state.throttle > 0, expectedShare }
    }
    state.pace = noteRequest(clearStale(state.pace, nowMs, config), { nowMs, config, volumes })
    state.shape = noteArrival(state.shape, fraction)
    if (nowMs >= state.sumsUntilMs) this.sumUp(state, site, nowMs)
    state.throttle = this.throttleOf(state, config, nowMs)
    return { throttle: state.throttle, isHeld: isHeld(state, state.throttle), expectedShare }
  }

  private counts(holder: Holder | undefined, nowMs: number): boolean {
    const { callLimits } = this.deps
    if (holder === undefined || callLimits === undefined) return true
    if (!callLimits.admits(holder, nowMs)) return false
    callLimits.note(holder)
    return true
  }

  /** Notes what a page call paid. Bids give only the most it could pay. */
  notePaid(site: SiteContent, micros: number): void {
    const state = this.states.get(site.key)
    if (state === undefined) return
    state.paidCalls++
    const weight = Math.max(1 / state.paidCalls, PAID_WEIGHT)
    state.paidMicros += weight * (micros - state.paidMicros)
  }

  private throttleOf(state: SiteState, config: PacingConfig, nowMs: number): number {
    const { totals, servesUnpaced } = state.sums
    const { kind, startMs, endMs } = state.day
    const isFixed = config.warmupMode || config.testThrottleOverride !== undefined
    if (totals.budgetMicros === 0 && !isFixed) {
      if (servesUnpaced) return 0
      state.exhaustedAtFraction ??= (nowMs - startMs) / (endMs - startMs)
    }
    const facts = { nowMs, config, totals: paidFor(state), volumes: state.shape[kind] }
    const verdict = nextThrottle(state.pace, facts)
    state.pace = verdict.state
    return verdict.throttle
  }

  private stateOf(site: SiteContent, nowMs: number): SiteState {
    const known = this.states.get(site.key)
    if (known === undefined) return this.open(site, nowMs)
    if (known.pacing === site.pacing) return known
    // Only new volumes set by a person replace the learned shape.
    const isSameDay = sameVolumes(known.pacing, site.pacing)
    const isSameLength = known.pacing.dayDurationSeconds === site.pacing.dayDurationSeconds
    if (!isSameLength) return this.open(site, nowMs)
    if (!isSameDay) known.shape = shapeOf(site.pacing)
    known.pacing = site.pacing
    return known
  }

  private open(site: SiteContent, nowMs: number): SiteState {
    const day = this.dayOf(site, nowMs)
    const state: SiteState = {
      pacing: site.pacing,
      day,
      bucket: bucketOf((nowMs - day.startMs) / (day.endMs - day.startMs)),
      pace: newPace(day.startMs),
      shape: shapeOf(site.pacing),
      sums: NOTHING,
      sumsUntilMs: nowMs,
      exhaustedAtFraction: undefined,
      credit: 0.5,
      throttle: 0,
      paidMicros: 0,
      paidCalls: 0,
    }
    this.states.set(site.key, state)
    // A node that starts at noon plans the afternoon: the morning's spend must not look like haste.
    this.sumUp(state, site, nowMs)
    state.pace = { ...state.pace, startSpentMicros: state.sums.totals.spentMicros }
    return state
  }

  private startDay(state: SiteState, site: SiteContent, nowMs: number): void {
    const { exhaustedAtFraction } = state
    state.shape = finishDay(state.shape, state.day.kind)
    state.day = this.dayOf(site, nowMs)
    state.pace = rollOver(state.pace, { dayStartMs: state.day.startMs, exhaustedAtFraction })
    state.bucket = 0
    state.sumsUntilMs = nowMs
    state.exhaustedAtFraction = undefined
  }

  private finishBuckets(state: SiteState, current: number): void {
    for (; state.bucket < current; state.bucket++) {
      state.shape = finishBucket(state.shape, state.bucket, state.day.kind)
    }
  }

  /** A shorter day is simulated. A real day is the publisher's, of 23 to 25 hours. */
  private dayOf({ pacing, timeZone }: SiteContent, nowMs: number): PacedDay {
    const simulatedMs = (pacing.dayDurationSeconds ?? DAY_SECONDS) * 1_000
    if (simulatedMs < DAY_MS) {
      const startMs = Math.floor(nowMs / simulatedMs) * simulatedMs
      return { startMs, endMs: startMs + simulatedMs, kind: kindOf(Math.floor(nowMs / DAY_MS)) }
    }
    const clock = this.zones.find(timeZone) ?? this.zones.find('UTC')!
    const { day, startMs, endMs } = localDay(clock, nowMs)
    return { startMs, endMs, kind: kindOf(day) }
  }

  private sumUp(state: SiteState, site: SiteContent, nowMs: number): void {
    const { content } = this.deps
    const campaigns = new Set<number>()
    for (const placement of content.placementsOfSite.get(site.key) ?? []) {
      for (const key of content.campaignsOfPlacement.get(placement) ?? []) campaigns.add(key)
    }
    const paces: CampaignPace[] = []
    let hasUnlimited = false
    for (const key of [...campaigns].toSorted((a, b) => a - b)) {
      const pace = this.paceOf(key)
      if (pace === 'unlimited') hasUnlimited = true
      else if (pace !== undefined) paces.push(pace)
    }
    const isSpent = paces.length > 0 && paces.every(isExhausted)
    state.sums = { totals: sumPaces(paces), servesUnpaced: hasUnlimited || !isSpent }
    state.sumsUntilMs = nowMs + TOTALS_MS
  }

  private paceOf(key: number): CampaignPace | 'unlimited' | undefined {
    const { content, budgets, agents } = this.deps
    const campaign = content.campaigns.get(key)
    if (campaign === undefined || !campaign.isActive) return undefined
    if (campaign.dailyMicros === null || agents?.has(key) === true) return 'unlimited'
    const perMille = campaign.pricing === 'cpm' ? 1 : CLICKS_PER_IMPRESSION * 1_000
    const bids = [...(content.adsOfCampaign.get(key) ?? [])].map(
      (ad) => content.ads.get(ad)!.bidMicros,
    )
    if (campaign.rateMicros > 0) bids.push(campaign.rateMicros)
    if (bids.length === 0) return 'unlimited'
    return {
      key,
      dailyBudgetMicros: campaign.dailyMicros,
      spentMicros: campaign.dailyMicros * budgets.utilisation(key),
      cpmMicros: (bids.reduce((sum, bid) => sum + bid, 0) / bids.length) * perMille,
      cpmMicrosMin: bids.reduce((least, bid) => Math.min(least, bid)) * perMille,
    }
  }
}

/**
 * With a share of 10 % every tenth call gets through, instead of each call by chance: the share is
 * the same, and delivery is as even as the calls.
 */
function isHeld(state: SiteState, throttle: number): boolean {
  state.credit += 1 - throttle
  if (state.credit < 1) return true
  state.credit -= 1
  return false
}

/** Plans with what page calls really pay, once 50 calls have paid. */
const paidFor = ({ sums: { totals }, paidCalls, paidMicros }: SiteState): PaceTotals =>
  paidCalls < PAID_CALLS_MIN || paidMicros === 0
    ? totals
    : { ...totals, cpmMicros: paidMicros * 1_000 }

const NOTHING: SiteSums = { totals: sumPaces([]), servesUnpaced: true }

function configOf(pacing: PacingFields, day: PacedDay): PacingConfig {
  return {
    dayDurationSeconds: (day.endMs - day.startMs) / 1_000,
    warmupMode: pacing.warmupMode ?? false,
    testThrottleOverride: pacing.testThrottleOverride ?? undefined,
  }
}

function shapeOf({ weekdayVolumes, weekendVolumes }: PacingFields): TrafficShape {
  const shape = newTrafficShape()
  return {
    ...shape,
    weekday: weekdayVolumes ?? shape.weekday,
    weekend: weekendVolumes ?? shape.weekend,
  }
}

const sameVolumes = (a: PacingFields, b: PacingFields) =>
  a.weekdayVolumes?.join() === b.weekdayVolumes?.join() &&
  a.weekendVolumes?.join() === b.weekendVolumes?.join()

/** 1970-01-01 was a Thursday. */
function kindOf(day: number): DayKind {
  const weekday = (day + 4) % 7
  return weekday === 0 || weekday === 6 ? 'weekend' : 'weekday'
}
