import { type MultiplierPolicy, type Plan, Progress, type WindowReport } from './policy.ts'

export interface Limits {
  readonly min: number
  readonly max: number
  /** What the campaign spends on a usual day; while it is behind, its bids may be lifted. */
  readonly usualSpend: number
}

/** How far ln k may move from one window to the next. */
const STEP_MAX = 0.15
/** A window may spend so many times what is planned for it. */
const BRAKE = 2
/** Of the budget, what a window may spend however little traffic is planned for it. */
const SPEND_SHARE_MIN = 0.01
/** A window that has spent about what it may was stopped; one that has spent far more was not braked. */
const BRAKED_SHARE = { from: 0.9, to: 1.25 }
const LIFT_MAX = 3
/** So far behind its usual day, as a share of it, the whole lift is allowed. */
const BEHIND_WHOLE = 0.2
/** Before a tenth of a day's traffic, being behind says little. */
const SEEN_SHARE_MIN = 0.1

/**
 * A policy whose multiplier stays within what a campaign allows, moves in steps, and is told what
 * held. Steps, because others adapt too: agents that all jump at once outbid each other. The brake,
 * because the highest bid of all wins every auction until its budget is gone, while the others see
 * nothing but losses and raise theirs. The lift, because agents that pay less buy more: whoever
 * cannot pay what they pay together would be shown no more.
 */
export class Within implements MultiplierPolicy {
  private readonly policy: MultiplierPolicy
  private readonly limits: Limits
  private progress!: Progress
  /** Where a bid ranks: multiplier times lift. */
  private rank = 1
  private spentNow = 0

  constructor(policy: MultiplierPolicy, limits: Limits) {
    this.policy = policy
    this.limits = limits
  }

  get multiplier(): number {
    return Math.min(this.rank, this.limits.max)
  }

  /** A bid at its maximum may rank so many times higher; it pays no more for it. */
  get lift(): number {
    return this.rank / this.multiplier
  }

  /** The brake: what the window to come may spend. */
  get spendMax(): number {
    const { plan, window, budgetLeft, shareAhead } = this.progress
    const share = Math.max(shareAhead, 1 / Math.max(1, plan.windows - window))
    const wanted = Math.max(BRAKE * share * budgetLeft, SPEND_SHARE_MIN * plan.budget)
    return Math.max(0, Math.min(budgetLeft, wanted))
  }

  begin(plan: Plan): void {
    this.progress = new Progress(plan)
    this.spentNow = 0
    this.policy.begin(plan)
    this.rank = this.cut(this.policy.multiplier)
  }

  /** What it would pay at most: a replay knows prices, and no ranks. */
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
    this.spentNow = 0
    this.policy.observe({ ...report, multiplier, isBraked })
    const far = Math.log(this.cut(this.policy.multiplier) / this.rank)
    this.rank *= Math.exp(Math.min(STEP_MAX, Math.max(-STEP_MAX, far)))
  }

  private cut(multiplier: number): number {
    const { min, max } = this.limits
    return Math.min(max * this.liftMax(), Math.max(min, multiplier))
  }

  /** The further behind, the higher: lifts that all reach the top would lift nobody. */
  private liftMax(): number {
    const { plan, budgetLeft, shareSeen } = this.progress
    const { usualSpend } = this.limits
    if (usualSpend <= 0) return 1
    const missing = usualSpend * shareSeen - (plan.budget - budgetLeft)
    const behind = missing / (usualSpend * Math.max(shareSeen, SEEN_SHARE_MIN))
    return LIFT_MAX ** Math.min(1, Math.max(0, behind / BEHIND_WHOLE))
  }
}
