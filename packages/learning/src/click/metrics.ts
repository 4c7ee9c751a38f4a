import { logLoss } from './odds.ts'

/** Predictions with what came of them, index by index. */
export interface Scored {
  readonly rates: ArrayLike<number>
  readonly clicks: ArrayLike<number>
}

/** Log loss over the log loss of always saying the mean rate: below 1 the model knows something. */
export function normalisedEntropy(scored: Scored): number {
  const { rates, clicks } = scored
  const mean = total(clicks) / clicks.length
  let loss = 0
  let baseline = 0
  for (let at = 0; at < rates.length; at++) {
    loss += logLoss(rates[at]!, clicks[at] === 1)
    baseline += logLoss(mean, clicks[at] === 1)
  }
  return loss / baseline
}

/** Predicted clicks over actual ones. */
export const predictedOverActual = ({ rates, clicks }: Scored): number =>
  total(rates) / total(clicks)

/** Mean distance of predicted and actual rate over bins of equal size, ordered by prediction. */
export function calibrationError({ rates, clicks }: Scored, bins = 10): number {
  const order = byRate(rates)
  let distance = 0
  for (let bin = 0; bin < bins; bin++) {
    const from = Math.floor((bin * order.length) / bins)
    const to = Math.floor(((bin + 1) * order.length) / bins)
    let gap = 0
    for (let at = from; at < to; at++) gap += rates[order[at]!]! - clicks[order[at]!]!
    distance += Math.abs(gap)
  }
  return distance / order.length
}

/** Chance that a clicked one was predicted above one that was not; ties count half. */
export function areaUnderCurve({ rates, clicks }: Scored): number {
  const order = byRate(rates)
  let rankSum = 0
  let positives = 0
  for (let from = 0; from < order.length;) {
    let to = from
    while (to < order.length && rates[order[to]!] === rates[order[from]!]) to++
    const rank = (from + 1 + to) / 2
    for (let at = from; at < to; at++) {
      if (clicks[order[at]!] !== 1) continue
      rankSum += rank
      positives++
    }
    from = to
  }
  const negatives = order.length - positives
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives)
}

const byRate = (rates: ArrayLike<number>): number[] =>
  Array.from({ length: rates.length }, (_, at) => at).toSorted((a, b) => rates[a]! - rates[b]!)

function total(values: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < values.length; at++) sum += values[at]!
  return sum
}
