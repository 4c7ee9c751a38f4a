import { DAY_SECONDS } from '@placard/calendar'
import {
  judgePacing,
  type LiveState,
  type SpendVerdict,
  type Winner,
} from '../../packages/decision-engine/src/index.ts'
import type { Agents } from './agents.ts'
import type { MarketCampaign } from './world.ts'

/** Budgets of one day: Smooth pacing without an agent, its brake with one. */
export class MarketLive implements LiveState {
  readonly isFull = false
  nowSeconds = 0
  private readonly budgets: ReadonlyMap<number, MarketCampaign>
  private readonly agents: Pick<Agents, 'spendMax'>
  private readonly spent = new Map<number, number>()

  constructor(campaigns: readonly MarketCampaign[], agents: Pick<Agents, 'spendMax'>) {
    this.budgets = new Map(campaigns.map((campaign) => [campaign.key, campaign]))
    this.agents = agents
  }

  judgeSpend(campaignKey: number): SpendVerdict {
    const spendMax = this.agents.spendMax(campaignKey)
    if (spendMax !== undefined && spendMax < 1) return 'ahead-of-plan'
    const strategy = spendMax === undefined ? 'Smooth' : 'Accelerated'
    const limitMicros = this.budgets.get(campaignKey)!.dailyMicros
    const spentMicros = this.spent.get(campaignKey) ?? 0
    return judgePacing({ strategy, limitMicros, spentMicros }, 1, {
      elapsedSeconds: this.nowSeconds,
      lengthSeconds: DAY_SECONDS,
    })
  }

  utilisation(campaignKey: number): number {
    return (this.spent.get(campaignKey) ?? 0) / this.budgets.get(campaignKey)!.dailyMicros
  }

  seen(): number {
    return 0
  }

  reserve({ campaignKey }: Winner): boolean {
    return this.judgeSpend(campaignKey!) === 'may-spend'
  }

  charge(campaignKey: number, micros: number): void {
    this.spent.set(campaignKey, (this.spent.get(campaignKey) ?? 0) + micros)
  }
}
