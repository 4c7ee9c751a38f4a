import { logLoss } from './odds.ts'

/** Predictions and their outcomes, index by index. */
export interface Scored {
  readonly rates: ArrayLike<number>
  readonly clicks: ArrayLike<number>
}

/** Log loss divided by the log loss of always predicting the mean rate. Below 1, the model is useful. */
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

/** Predicted clicks divided by actual clicks. */
export const predictedOverActual = ({ rates, clicks }: Scored): number =>
  total(rates) / total(clicks)

/** Mean difference of predicted and actual rate over bins of equal size, ordered by prediction. */
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

/** Probability that a clicked impression has a higher prediction than an unclicked one. Ties count half. */
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
