import {
  costOf,
  keyedDraw,
  type CapScope,
  type FrequencyWindow,
  type LiveState,
  passesFairness,
  type SpendVerdict,
  type Winner,
} from '@placard/decision-engine'
import type { BudgetBook, Holder, Reservation } from '../../budgets/index.ts'
import type { CapKey, Counters, Hold, UserCounts } from '../../frequency/index.ts'
import type { Content } from '../catalogue/content.ts'
import type { HolderLimits } from './holder-limits.ts'

/** How long money and impressions are held. A video may start long after its slot was filled. */
export interface HoldTimes {
  readonly plainMs: number
  readonly videoMs: number
  /** At most, for a reader whom nothing vouches for. */
  readonly unvouchedMs: number
}
const HOLD_TIMES: HoldTimes = { plainMs: 60_000, videoMs: 1_800_000, unvouchedMs: 10_000 }
const NO_CAPS: readonly CapKey[] = []
/** After so many campaigns of which the reader may hold no more, the next best need not try. */
const REFUSED_MAX = 4

/** How long one winner is held for. */
function holdMsOf(
  { holdTimes = HOLD_TIMES }: LiveDeps,
  { format }: Winner,
  holder: Holder | undefined,
): number {
  const { plainMs, videoMs, unvouchedMs } = holdTimes
  const holdMs = format === 'video' ? videoMs : plainMs
  return holder?.isVouched === false ? Math.min(holdMs, unvouchedMs) : holdMs
}

export interface LiveDeps {
  readonly content: Content
  readonly holdTimes?: HoldTimes | undefined
  readonly budgets: BudgetBook
  readonly counters: Counters
  readonly holdLimits?: HolderLimits | undefined
  /** Campaigns with a bid agent. Fairness on a page does not hold them back as well. */
  readonly agents?: { has(campaignKey: number): boolean } | undefined
}

/** What one request may spend and show. */
export interface LiveSetting {
  /** Undefined for an unknown user, who has no caps. */
  readonly counts: UserCounts | undefined
  /** Time of the request. Without it the budget book reads the clock each time. */
  readonly nowMs?: number | undefined
  /** Checks without holding: HEAD, prefetch. */
  readonly isDry: boolean
  /** Whose holds are bounded. Undefined for a reader whom a key vouches for. */
  readonly holder?: Holder | undefined
  /** For a page: the share of the day's traffic that should be over, and the seed of the draw. */
  readonly fairness?: { readonly expectedShare: number; readonly seed: number } | undefined
}

export interface Reserved {
  readonly winner: Winner
  readonly reservation: Reservation | undefined
  readonly hold: Hold | undefined
}

interface Holding {
  readonly winner: Winner
  readonly reservation: Reservation | undefined
  readonly hold: Hold | undefined | Promise<Hold | undefined>
}

/** Budgets and counts of one request. A winner gets money and an impression held, or neither. */
export class RequestLive implements LiveState {
  /** A hold in Redis is not answered yet. */
  isPending = false
  private readonly deps: LiveDeps
  private readonly setting: LiveSetting
  private holdings: Holding[] = []
  /** Of how many campaigns the reader may hold no more. */
  private refusals = 0
  /** Created when first needed, which is rare. */
  private refused: Set<string> | undefined

  constructor(deps: LiveDeps, setting: LiveSetting) {
    this.deps = deps
    this.setting = setting
  }

  judgeSpend(campaignKey: number, costMicros: number): SpendVerdict {
    const verdict = this.deps.budgets.judgeSpend(campaignKey, costMicros, this.setting.nowMs)
    if (verdict !== 'may-spend' || this.setting.fairness === undefined) return verdict
    return this.isFair(campaignKey, this.setting.fairness) ? verdict : 'ahead-of-plan'
  }

  utilisation(campaignKey: number): number {
    return this.deps.budgets.utilisation(campaignKey)
  }

  seen(scope: CapScope, key: number, window: FrequencyWindow): number {
    const { counts } = this.setting
    return counts === undefined ? 0 : counts.seen(scope, key, window)
  }

  get isFull(): boolean {
    return this.deps.budgets.isFull || this.refusals >= REFUSED_MAX
  }

  reserve(winner: Winner): boolean {
    if (this.refused?.has(nameOf(winner)) === true) return false
    if (this.setting.isDry) return true

    const caps = this.capsOf(winner)
    const isPaid = winner.campaignKey !== undefined && winner.costMicros > 0
    if ((isPaid || caps.length > 0) && !this.mayBeginHold()) return false

    const { holder } = this.setting
    const holdMs = holdMsOf(this.deps, winner, holder)
    const reservation = isPaid ? this.reserveMoney(winner, holdMs) : undefined
    if (isPaid && reservation === undefined) return false
    const hold = caps.length === 0 ? undefined : this.setting.counts!.hold(caps, holdMs)
    if (caps.length > 0 && hold === undefined) {
      if (reservation !== undefined) this.deps.budgets.release(reservation.id)
      return false
    }
    if (holder !== undefined && (isPaid || caps.length > 0)) this.deps.holdLimits?.note(holder)
    if (hold instanceof Promise) this.isPending = true
    this.holdings.push({ winner, reservation, hold })
    return true
  }

  /** False once the reader has begun as many holds as one may: then nothing more is tried. */
  private mayBeginHold(): boolean {
    const { holder, nowMs = 0 } = this.setting
    if (holder === undefined || this.deps.holdLimits?.admits(holder, nowMs) !== false) return true
    this.refusals = REFUSED_MAX
    return false
  }

  private reserveMoney(winner: Winner, holdMs: number): Reservation | undefined {
    const { holder } = this.setting
    const { pricing, effectiveBidMicros } = winner
    const reservation = this.deps.budgets.reserve({
      campaignKey: winner.campaignKey!,
      costMicros: expectedMicros(winner),
      holdMs,
      holder,
      nextCostMicros: costOf(pricing === 'cpc', effectiveBidMicros),
    })
    if (reservation === undefined && holder !== undefined) this.refusals++
    return reservation
  }

  /** What is held for a winner. Nothing is after a dry run. */
  reservedFor(winner: Winner): Reserved {
    const holding = this.holdings.find((one) => one.winner === winner)
    const hold = holding?.hold instanceof Promise ? undefined : holding?.hold
    return { winner, reservation: holding?.reservation, hold }
  }

  /**
   * Waits for holds in Redis. If a cap was full after all, releases everything and excludes that
   * winner; the caller then decides again.
   */
  async awaitHolds(): Promise<boolean> {
    const answered = await Promise.all(
      this.holdings.map(async (holding) => ({ ...holding, hold: await holding.hold })),
    )
    this.isPending = false
    this.holdings = answered
    const refused = answered.filter(
      ({ hold, winner }) => hold === undefined && this.capsOf(winner).length > 0,
    )
    if (refused.length === 0) return true
    this.refused ??= new Set()
    for (const { winner } of refused) this.refused.add(nameOf(winner))
    await this.releaseAll()
    return false
  }

  async releaseAll(): Promise<void> {
    const { budgets, counters } = this.deps
    const given = this.holdings
    this.holdings = []
    for (const { reservation } of given) {
      if (reservation !== undefined) budgets.release(reservation.id)
    }
    await Promise.all(
      given.map(async (holding) => {
        const hold = await holding.hold
        if (hold !== undefined) await counters.release(hold.id)
      }),
    )
  }

  private capsOf(winner: Winner): readonly CapKey[] {
    if (this.setting.counts === undefined || winner.campaignKey === undefined) return NO_CAPS
    if (!winner.isCapped) return NO_CAPS
    const { caps } = this.deps.content
    const ofAd = winner.source === 'auction' ? caps.ad.get(winner.key) : undefined
    const ofCampaign = caps.campaign.get(winner.campaignKey)
    const ofAdvertiser = caps.advertiser.get(winner.advertiserKey)
    if (ofCampaign === undefined && ofAdvertiser === undefined) return ofAd ?? NO_CAPS
    return [...(ofAd ?? NO_CAPS), ...(ofCampaign ?? NO_CAPS), ...(ofAdvertiser ?? NO_CAPS)]
  }

  /** On a page, a campaign ahead of its plan leaves room for the others. */
  private isFair(
    campaignKey: number,
    { expectedShare, seed }: NonNullable<LiveSetting['fairness']>,
  ): boolean {
    const campaign = this.deps.content.campaigns.get(campaignKey)
    if (campaign === undefined || campaign.dailyMicros === null) return true
    if (campaign.strategy === 'Accelerated') return true
    if (this.deps.agents?.has(campaignKey) === true) return true
    const ratio = this.deps.budgets.utilisation(campaignKey) / Math.max(expectedShare, 0.01)
    return passesFairness(ratio, keyedDraw(seed, campaignKey))
  }
}

/**
 * An impression is held at its price, a click at its price times the click rate: its expected cost.
 */
const expectedMicros = ({ pricing, costMicros, ctr }: Winner): number =>
  pricing === 'cpm' ? costMicros : Math.max(1, Math.ceil(costMicros * Math.min(1, ctr)))

const nameOf = ({ source, key }: Winner) => `${source} ${key}`
