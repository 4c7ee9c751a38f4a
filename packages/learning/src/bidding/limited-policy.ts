import { CostFeedback } from './cost-feedback.ts'
import { type MultiplierPolicy, type Plan, Progress, type WindowReport } from './policy.ts'

export interface Limits {
  readonly min: number
  readonly max: number
  /** Spend of a usual day. While the campaign is behind it, its bids may be lifted. */
  readonly usualSpend: number
  /** What a unit of value may cost on average: `max` follows the cost of the day. */
  readonly costMax?: number | undefined
}

/** Most that ln k may move from one window to the next. */
const STEP_MAX = 0.15
/** A window may spend this multiple of its plan. */
const BRAKE = 2
/** Share of the budget that a window may spend even if no traffic is planned for it. */
const SPEND_SHARE_MIN = 0.01
/** A window was stopped by the brake if it spent about its limit. One that spent far more was not. */
const BRAKED_SHARE = { from: 0.9, to: 1.25 }
const LIFT_MAX = 3
/** A campaign that is behind by this share of its usual day gets the whole lift. */
const BEHIND_WHOLE = 0.2
/** Before 10 % of the day's traffic, being behind says little. */
const SEEN_SHARE_MIN = 0.1

/**
 * Keeps a policy within the limits of a campaign and reports to it the multiplier that was used.
 *
 * - Steps: agents that all jump at once would outbid each other.
 * - Brake: without it, the highest bid wins every auction until its budget is spent, while the others see
 *   only losses and raise their bids.
 * - Lift: agents that pay less buy more. A campaign that cannot pay the resulting prices would no longer
 *   be shown.
 */
export class LimitedPolicy implements MultiplierPolicy {
  private readonly policy: MultiplierPolicy
  private readonly limits: Limits
  private progress!: Progress
  /** Multiplier × lift. */
  private rank = 1
  private spentNow = 0
  private cost: CostFeedback | undefined

  constructor(policy: MultiplierPolicy, limits: Limits) {
    this.policy = policy
    this.limits = limits
  }

  get multiplier(): number {
    return Math.min(this.rank, this.max)
  }

  /** Factor on the rank of a bid at its maximum. Does not raise the price. */
  get lift(): number {
    return this.rank / this.multiplier
  }

  /** The brake: most that the next window may spend. */
  get spendMax(): number {
    const { plan, window, budgetLeft, shareAhead } = this.progress
    const share = Math.max(shareAhead, 1 / Math.max(1, plan.windows - window))
    const wanted = Math.max(BRAKE * share * budgetLeft, SPEND_SHARE_MIN * plan.budget)
    return Math.max(0, Math.min(budgetLeft, wanted))
  }

  begin(plan: Plan): void {
    const { costMax } = this.limits
    this.progress = new Progress(plan)
    this.cost = costMax === undefined ? undefined : new CostFeedback(costMax)
    this.spentNow = 0
    this.policy.begin(plan)
    this.rank = this.cut(this.policy.multiplier)
  }

  /** The most it would pay: a replay knows prices but no ranks. */
  bid(pctr: number): number {
    return this.spentNow < this.spendMax ? pctr * this.multiplier : -1
  }

  paid(price: number): void {
    this.spentNow += price
  }

  observe(report: WindowReport): void {
    const { multiplier = this.rank } = report
    const spentShare = (report.charged ?? report.spend) / this.spendMax
    const isBraked = spentShare >= BRAKED_SHARE.from && spentShare <= BRAKED_SHARE.to
    this.progress.note(report)
    this.cost?.note(report)
    this.spentNow = 0
    this.policy.observe({ ...report, multiplier, isBraked })
    const far = Math.log(this.cut(this.policy.multiplier) / this.rank)
    this.rank *= Math.exp(Math.min(STEP_MAX, Math.max(-STEP_MAX, far)))
  }

  private cut(multiplier: number): number {
    const { max } = this
    const min = Math.min(max, this.limits.min)
    return Math.min(max * this.liftMax(), Math.max(min, multiplier))
  }

  private get max(): number {
    return this.limits.max * (this.cost?.factor ?? 1)
  }

  /** Grows with the distance behind: if all lifts were at the maximum, none would help. */
  private liftMax(): number {
    const { plan, budgetLeft, shareSeen } = this.progress
    const { usualSpend } = this.limits
    if (usualSpend <= 0) return 1
    const missing = usualSpend * shareSeen - (plan.budget - budgetLeft)
    const behind = missing / (usualSpend * Math.max(shareSeen, SEEN_SHARE_MIN))
    return LIFT_MAX ** Math.min(1, Math.max(0, behind / BEHIND_WHOLE))
  }
}
