import { normalQuantile, percent } from './gate.ts'

/** A minute in which one of two policies acted, by a random draw: value won, and its cost. */
export interface TrialMinute {
  readonly isTrial: boolean
  /** Probability with which the acting policy was drawn. */
  readonly probability: number
  readonly value: number
  readonly spend: number
}

/** Value per spend of the trial divided by that of the base, minus 1, with its confidence interval. */
export interface TrialJudgement {
  readonly verdict: 'worse' | 'not-worse' | 'too-few-minutes'
  /** Minutes of the trial with at least one win. */
  readonly minutes: number
  readonly gain: number
  readonly low: number
  readonly high: number
}

export interface TrialRule {
  /** Required of each policy. */
  readonly minutesMin: number
  readonly tolerance: number
  readonly risk: number
}

const TRIAL_DEFAULTS: TrialRule = { minutesMin: 20, tolerance: 0.005, risk: 0.05 }

/** Maximum weight of a minute: a rare one would dominate the estimate. */
const WEIGHT_MAX = 20

/**
 * Judges whether the trial did worse in its minutes. Self-normalised inverse propensity weights, because
 * the share may grow within a day. Value per spend, because a policy that bids more wins more in its
 * minutes and pays for it later.
 */
export function judgeTrial(
  minutes: readonly TrialMinute[],
  { minutesMin, tolerance, risk } = TRIAL_DEFAULTS,
): TrialJudgement {
  const trial = valuePerSpend(minutes.filter(({ isTrial }) => isTrial))
  const base = valuePerSpend(minutes.filter(({ isTrial }) => !isTrial))
  if (Math.min(trial.minutes, base.minutes) < minutesMin) {
    const { minutes: count } = trial
    return { verdict: 'too-few-minutes', minutes: count, gain: 0, low: -Infinity, high: Infinity }
  }
  const gain = trial.ratio / base.ratio - 1
  const error = (1 + gain) * Math.hypot(trial.relativeError, base.relativeError)
  const reach = normalQuantile(1 - risk) * error
  const verdict = gain + reach < -tolerance ? 'worse' : 'not-worse'
  return { verdict, minutes: trial.minutes, gain, low: gain - reach, high: gain + reach }
}

/** Ratio of two weighted sums, with its linearised standard error. */
function valuePerSpend(minutes: readonly TrialMinute[]) {
  const won = minutes.filter(({ spend }) => spend > 0)
  const weighed = won.map((one) => ({ ...one, weight: Math.min(WEIGHT_MAX, 1 / one.probability) }))
  const value = weighed.reduce((sum, one) => sum + one.weight * one.value, 0)
  const spend = weighed.reduce((sum, one) => sum + one.weight * one.spend, 0)
  const ratio = value / spend
  const squares = weighed.reduce(
    (sum, one) => sum + (one.weight * (one.value - ratio * one.spend)) ** 2,
    0,
  )
  return { minutes: won.length, ratio, relativeError: Math.sqrt(squares) / value }
}

/** The verdict as a sentence. */
export function sayTrial({ verdict, minutes, gain, low, high }: TrialJudgement): string {
  if (verdict === 'too-few-minutes') return `Its own ${minutes} minutes are too few to judge.`
  const figures = `${percent(gain)} per spend in ${minutes} minutes of its own (${percent(low)} to ${percent(high)})`
  return verdict === 'worse' ? `Fell behind: ${figures}.` : `Live: ${figures}.`
}
