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

/** How long money and impressions are held; a film may start long after its slot was filled. */
export interface HoldTimes {
  readonly plainMs: number
  readonly videoMs: number
}
const HOLD_TIMES: HoldTimes = { plainMs: 60_000, videoMs: 1_800_000 }
const NO_CAPS: readonly CapKey[] = []

/** How long a showing is held for. */
const holdMsOf = ({ holdTimes = HOLD_TIMES }: LiveDeps, { format }: Winner) =>
  format === 'video' ? holdTimes.videoMs : holdTimes.plainMs

export interface LiveDeps {
  readonly content: Content
  readonly holdTimes?: HoldTimes | undefined
  readonly budgets: BudgetBook
  readonly counters: Counters
  /** Campaigns whose bid an agent moves: nothing else holds them back. */
  readonly agents?: { has(campaignKey: number): boolean } | undefined
}

/** What one request may spend and show. */
export interface LiveSetting {
  /** Undefined when the user is unknown: no caps then. */
  readonly counts: UserCounts | undefined
  /** When it was asked; without it budgets look at the clock each time. */
  readonly nowMs?: number | undefined
  /** Looks without holding: HEAD, prefetch. */
  readonly isDry: boolean
  /** On a page: the share of the day's traffic that should be over, and the draw's seed. */
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

/** Budgets and counts of one request: a winner gets money and an impression held, or neither. */
export class RequestLive implements LiveState {
  /** A counter elsewhere has not answered yet. */
  isPending = false
  private readonly deps: LiveDeps
  private readonly setting: LiveSetting
  private holdings: Holding[] = []
  /** Made when it is needed, which is almost never. */
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

  /** What is held for the winner of a decision; nothing was, if it only looked. */
  reservedFor(winner: Winner): Reserved {
    const holding = this.holdings.find((one) => one.winner === winner)
    const hold = holding?.hold instanceof Promise ? undefined : holding?.hold
    return { winner, reservation: holding?.reservation, hold }
  }

  /**
   * Waits for counters elsewhere. If one of them was full after all, everything is given back, the
   * refused winner is out, and the decision is to be made again.
   */
  async awaitHolds(): Promise<boolean> {
    const settled = await Promise.all(
      this.holdings.map(async (holding) => ({ ...holding, hold: await holding.hold })),
    )
    this.isPending = false
    this.holdings = settled
    const refused = settled.filter(
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

  /** On a page a campaign ahead of its plan leaves room for the others. */
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

/** An impression costs its price; a click may come or not, and is held at what it will cost on average. */
const expectedMicros = ({ pricing, costMicros, ctr }: Winner): number =>
  pricing === 'cpm' ? costMicros : Math.max(1, Math.ceil(costMicros * Math.min(1, ctr)))

const nameOf = ({ source, key }: Winner) => `${source} ${key}`
