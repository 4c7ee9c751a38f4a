import { normalQuantile, percent } from './gate.ts'

/** A minute in which one of two policies acted, drawn by chance: what it won, and what that cost. */
export interface TrialMinute {
  readonly isTrial: boolean
  /** The chance with which the policy that acted was drawn. */
  readonly probability: number
  readonly value: number
  readonly spend: number
}

/** Value per spend of the trial's minutes over that of the base's, less 1, with its bounds. */
export interface TrialJudgement {
  readonly verdict: 'worse' | 'not-worse' | 'too-few-minutes'
  /** Minutes of the trial that won something. */
  readonly minutes: number
  readonly gain: number
  readonly low: number
  readonly high: number
}

export interface TrialRule {
  /** Of each policy. */
  readonly minutesMin: number
  readonly tolerance: number
  readonly risk: number
}

const TRIAL_DEFAULTS: TrialRule = { minutesMin: 20, tolerance: 0.005, risk: 0.05 }

/** No minute counts for more than so many: a rare one would decide the estimate alone. */
const WEIGHT_MAX = 20

/**
 * Has the trial fallen behind in the minutes it really had? By inverse propensities, normalised by
 * themselves, because a share may grow within a day. Per spend, because a policy that bids more wins
 * more in its minutes, and pays for it later.
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

/** A ratio of two weighted sums, with the error of its linear form. */
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

/** For people. */
export function sayTrial({ verdict, minutes, gain, low, high }: TrialJudgement): string {
  if (verdict === 'too-few-minutes') return `Its own ${minutes} minutes are too few to judge.`
  const figures = `${percent(gain)} per spend in ${minutes} minutes of its own (${percent(low)} to ${percent(high)})`
  return verdict === 'worse' ? `Fell behind: ${figures}.` : `Live: ${figures}.`
}
