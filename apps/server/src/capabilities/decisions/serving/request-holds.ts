import {
  keyedDraw,
  type CapScope,
  type FrequencyWindow,
  type LiveState,
  passesFairness,
  type SpendVerdict,
  type Winner,
} from '@placard/decision-engine'
import type { BudgetBook, Reservation } from '../../budgets/index.ts'
import type { CapKey, Counters, Hold, UserCounts } from '../../frequency/index.ts'
import type { Content } from '../catalogue/content.ts'

/** How long money and impressions are held. A video may start long after its slot was filled. */
export interface HoldTimes {
  readonly plainMs: number
  readonly videoMs: number
}
const HOLD_TIMES: HoldTimes = { plainMs: 60_000, videoMs: 1_800_000 }
const NO_CAPS: readonly CapKey[] = []

/** How long one winner is held for. */
const holdMsOf = ({ holdTimes = HOLD_TIMES }: LiveDeps, { format }: Winner) =>
  format === 'video' ? holdTimes.videoMs : holdTimes.plainMs

export interface LiveDeps {
  readonly content: Content
  readonly holdTimes?: HoldTimes | undefined
  readonly budgets: BudgetBook
  readonly counters: Counters
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
    return this.deps.budgets.isFull
  }

  reserve(winner: Winner): boolean {
    if (this.refused?.has(nameOf(winner)) === true) return false
    if (this.setting.isDry) return true

    const { budgets } = this.deps
    const holdMs = holdMsOf(this.deps, winner)
    const { campaignKey } = winner
    let reservation: Reservation | undefined
    if (campaignKey !== undefined && winner.costMicros > 0) {
      const costMicros = expectedMicros(winner)
      reservation = budgets.reserve({ campaignKey, costMicros, holdMs })
      if (reservation === undefined) return false
    }
    const caps = this.capsOf(winner)
    const hold = caps.length === 0 ? undefined : this.setting.counts!.hold(caps, holdMs)
    if (caps.length > 0 && hold === undefined) {
      if (reservation !== undefined) budgets.release(reservation.id)
      return false
    }
    if (hold instanceof Promise) this.isPending = true
    this.holdings.push({ winner, reservation, hold })
    return true
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
