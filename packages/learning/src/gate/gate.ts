/** Values of two policies on the same recent day. */
export interface ReplayedDay {
  readonly base: number
  readonly policy: number
}

export interface GateRule {
  readonly daysMin: number
  /** A loss smaller than this share of the base policy's value is tolerated. */
  readonly tolerance: number
  /** One-sided: the probability of accepting a policy that is worse than tolerated. */
  readonly risk: number
}

export const GATE_DEFAULTS: GateRule = { daysMin: 5, tolerance: 0.005, risk: 0.05 }

export type GateVerdict = 'as-good' | 'worse' | 'undecided' | 'too-few-days'

export interface GateJudgement {
  readonly verdict: GateVerdict
  readonly days: number
  /** Gain over the base policy as a share of its value, with its confidence interval. */
  readonly gain: number
  readonly low: number
  readonly high: number
}

/** Judges whether the policy is at least as good as the base, on paired days, by Student's t. */
export function judgeGate(days: readonly ReplayedDay[], rule = GATE_DEFAULTS): GateJudgement {
  const scale = mean(days.map(({ base }) => base))
  const gains = days.map(({ base, policy }) => (policy - base) / scale)
  const gain = mean(gains)
  if (days.length < Math.max(2, rule.daysMin) || !(scale > 0)) {
    return { verdict: 'too-few-days', days: days.length, gain, low: -Infinity, high: Infinity }
  }
  const squares = gains.reduce((sum, one) => sum + (one - gain) ** 2, 0)
  const error = Math.sqrt(squares / (days.length - 1) / days.length)
  const reach = studentQuantile(1 - rule.risk, days.length - 1) * error
  const [low, high] = [gain - reach, gain + reach]
  const verdict =
    low >= -rule.tolerance ? 'as-good' : high < -rule.tolerance ? 'worse' : 'undecided'
  return { verdict, days: days.length, gain, low, high }
}

/** The verdict as a sentence with its figures. */
export function sayJudgement({ verdict, days, gain, low, high }: GateJudgement): string {
  if (verdict === 'too-few-days') return `${days} replayed days are too few to judge.`
  const figures = `${percent(gain)} against the base on ${days} days (${percent(low)} to ${percent(high)})`
  if (verdict === 'as-good') return `At least as good: ${figures}.`
  if (verdict === 'worse') return `Worse: ${figures}.`
  return `Not decided: ${figures}.`
}

export const percent = (share: number): string =>
  `${share < 0 ? '' : '+'}${(100 * share).toFixed(1)} %`

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Student's t by the Cornish–Fisher expansion of the normal quantile. Accurate from 3 degrees of freedom. */
export function studentQuantile(probability: number, degrees: number): number {
  const z = normalQuantile(probability)
  const z2 = z * z
  const first = (z * (z2 + 1)) / 4
  const second = (z * (5 * z2 * z2 + 16 * z2 + 3)) / 96
  const third = (z * (3 * z2 ** 3 + 19 * z2 * z2 + 17 * z2 - 15)) / 384
  return z + first / degrees + second / degrees ** 2 + third / degrees ** 3
}

/** Acklam's rational approximation for the middle and the tails. Relative error below 1.2e-9. */
export function normalQuantile(probability: number): number {
  const tail = Math.min(probability, 1 - probability)
  if (tail >= 0.02425) {
    const q = probability - 0.5
    const r = q * q
    return (q * horner(MIDDLE_TOP, r)) / horner(MIDDLE_BOTTOM, r)
  }
  const q = Math.sqrt(-2 * Math.log(tail))
  const x = horner(TAIL_TOP, q) / horner(TAIL_BOTTOM, q)
  return probability < 0.5 ? x : -x
}

const horner = (coefficients: readonly number[], x: number): number =>
  coefficients.reduce((sum, one) => sum * x + one, 0)

const MIDDLE_TOP = [
  -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2,
  -3.066479806614716e1, 2.506628277459239,
]
const MIDDLE_BOTTOM = [
  -5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1,
  -1.328068155288572e1, 1,
]
const TAIL_TOP = [
  -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734,
  4.374664141464968, 2.938163982698783,
]
const TAIL_BOTTOM = [
  7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1,
]
