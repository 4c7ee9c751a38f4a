import { judgePacing, smoothAllowance, type SpendVerdict } from '@placard/decision-engine'
import type { NodeLeases } from '../leases/node-leases.ts'
import type { Campaign } from './buyers.ts'
import type { FreeMicros } from './hold-gate.ts'
import { NO_LIMIT, type SpendColumns } from './spend-columns.ts'
import type { ZoneDay } from './zone-day.ts'

/** What a campaign may use of its budgets now: the hard limits first, then pacing. */
export class SpendJudge {
  private readonly spend: SpendColumns
  private readonly nodeLeases: NodeLeases | undefined
  /** One object, filled for each check: an object per candidate would be garbage. */
  private readonly budgetDay = { strategy: 'Smooth' as const, limitMicros: 0, spentMicros: 0 }

  constructor(spend: SpendColumns, nodeLeases: NodeLeases | undefined) {
    this.spend = spend
    this.nodeLeases = nodeLeases
  }

  /** The hard limits. A cost of zero always fits. */
  fits(campaign: Campaign, { day }: ZoneDay, costMicros: number): boolean {
    if (costMicros === 0) return true
    return (
      this.spend.fits(campaign.owner, day, costMicros) &&
      this.spend.fits(campaign.advertiser!.owner, day, costMicros) &&
      (this.nodeLeases === undefined || this.nodeLeases.covers(campaign, day, costMicros))
    )
  }

  /** `zone` is undefined if the campaign may not spend at all. */
  judge(
    campaign: Campaign,
    zone: ZoneDay | undefined,
    { costMicros, nowMs }: { readonly costMicros: number; readonly nowMs: number },
  ): SpendVerdict {
    if (zone === undefined || !this.fits(campaign, zone, costMicros)) return 'exhausted'
    if (costMicros === 0) return 'may-spend'
    const { budgetDay, spend } = this
    const { brake } = campaign
    if (brake?.day === zone.day) {
      const used = spend.usedOn(campaign.owner, zone.day)
      return used + costMicros <= brake.micros ? 'may-spend' : 'ahead-of-plan'
    }
    if (!campaign.isSmooth) return 'may-spend'
    budgetDay.limitMicros = spend.dailyLimit(campaign.owner)
    budgetDay.spentMicros = spend.usedOn(campaign.owner, zone.day)
    return judgePacing(budgetDay, costMicros, zone.progressAt(nowMs))
  }

  /** What limits and pacing leave, whatever is leased of it. */
  freeFor(campaign: Campaign, zone: ZoneDay, nowMs: number): FreeMicros {
    const { owner, advertiser } = campaign
    const paced = this.allowanceOf(campaign, zone, nowMs) - this.spend.usedOn(owner, zone.day)
    return {
      ofCampaign: Math.min(this.spend.freeOn(owner, zone.day), paced),
      ofAdvertiser: this.spend.freeOn(advertiser!.owner, zone.day),
    }
  }

  /** What pacing lets the campaign use of its day by now. */
  private allowanceOf({ owner, brake, isSmooth }: Campaign, zone: ZoneDay, nowMs: number): number {
    if (brake?.day === zone.day) return brake.micros
    if (!isSmooth) return NO_LIMIT
    return smoothAllowance(this.spend.dailyLimit(owner), zone.progressAt(nowMs))
  }
}
