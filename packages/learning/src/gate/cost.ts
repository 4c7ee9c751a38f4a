import { normalQuantile, percent } from './gate.ts'
import type { TrialJudgement } from './trial.ts'

/** What a policy that bids by target has spent in its own minutes, and the purchases that followed. */
export interface CostFacts {
  readonly minutes: number
  readonly spend: number
  /** A purchase that several campaigns share counts in part. */
  readonly purchases: number
  readonly targetMicros: number
}

export interface CostJudgement extends TrialJudgement {
  readonly purchases: number
}

export interface CostRule {
  /** Below so many purchases at the target, chance alone decides. */
  readonly expectedMin: number
  /** A purchase may cost so much more than the target. */
  readonly tolerance: number
  readonly risk: number
}

const COST_DEFAULTS: CostRule = { expectedMin: 8, tolerance: 0.25, risk: 0.05 }

/**
 * Do the purchases that came say that one costs clearly more than its target? Purchases are Poisson, so
 * few of them are judged mildly. The gain is purchases per spend over what the target asks for, less 1.
 */
export function judgeCost(
  { minutes, spend, purchases, targetMicros }: CostFacts,
  { expectedMin, tolerance, risk } = COST_DEFAULTS,
): CostJudgement {
  const expected = spend / targetMicros
  if (expected < expectedMin) {
    const verdict = 'too-few-minutes'
    return { verdict, minutes, purchases, gain: 0, low: -Infinity, high: Infinity }
  }
  const z = normalQuantile(1 - risk)
  const gain = purchases / expected - 1
  const low = poissonBound(purchases, -z) / expected - 1
  const high = poissonBound(purchases + 1, z) / expected - 1
  const isWorse = high < 1 / (1 + tolerance) - 1
  return { verdict: isWorse ? 'worse' : 'not-worse', minutes, purchases, gain, low, high }
}

/** Wilson and Hilferty's bound of a Poisson mean; from two purchases on within a per cent. */
function poissonBound(count: number, z: number): number {
  if (count <= 0) return 0
  return Math.max(0, count * (1 - 1 / (9 * count) + z / (3 * Math.sqrt(count))) ** 3)
}

/** For people. */
export function sayCost({ verdict, purchases, gain, low, high }: CostJudgement): string {
  const count = `${Math.round(purchases)} purchases`
  if (verdict === 'too-few-minutes') {
    return `It has spent too little to judge its cost per purchase (${count}).`
  }
  const figures = `${percent(gain)} purchases per spend against the target (${count}; ${percent(low)} to ${percent(high)})`
  return verdict === 'worse' ? `Costs too much: ${figures}.` : `Cost within the target: ${figures}.`
}
