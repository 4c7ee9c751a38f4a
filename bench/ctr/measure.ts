import {
  areaUnderCurve,
  calibrationError,
  ClickModel,
  Ftrl,
  normalisedEntropy,
  predictedOverActual,
  type Scored,
} from '../../packages/learning/src/index.ts'
import { type ClickRows, clicksBetween } from './rows.ts'

export interface ClickFigures {
  readonly ne: number
  readonly calibration: number
  readonly ece: number
  readonly auc: number
}

/** Learns the train rows once, in order, then predicts and learns each row of the stream. */
export function measureStream(
  train: ClickRows,
  stream: ClickRows,
): ClickFigures & { microsPerPrediction: number } {
  const model = new ClickModel({ prior: rateOf(train) })
  train.indexes.forEach((indexes, at) => model.learn({ indexes }, train.clicks[at] === 1))
  model.meetNewTraffic()
  const rates = stream.indexes.map((indexes, at) =>
    model.learn({ indexes }, stream.clicks[at] === 1),
  )
  return {
    ...figuresOf({ rates, clicks: stream.clicks }),
    microsPerPrediction: microsOf(model, stream.indexes),
  }
}

/** Adds one click in 100 rows, so that few rows do not give a rate of 0. */
const rateOf = ({ clicks }: ClickRows): number => (total(clicks) + 1) / (clicks.length + 100)

const ROUNDS = 5

function microsOf(model: ClickModel, rows: readonly Uint32Array[]): number {
  let best = Infinity
  let sum = 0
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now()
    for (const indexes of rows) sum += model.predict({ indexes })
    best = Math.min(best, performance.now() - started)
  }
  if (!(sum > 0)) throw new Error('the model predicts 0 for every row')
  return Math.round((best * 1e6) / rows.length) / 1e3
}

const PASSES = 2

/** A model of the other folds predicts each contiguous fold. The figures are for all rows together. */
export function measureFolds(rows: ClickRows, folds: number): ClickFigures {
  const count = rows.clicks.length
  const rates: number[] = []
  for (let fold = 0; fold < folds; fold++) {
    const from = Math.floor((count * fold) / folds)
    const to = Math.floor((count * (fold + 1)) / folds)
    const model = fit([clicksBetween(rows, 0, from), clicksBetween(rows, to, count)])
    for (let at = from; at < to; at++) rates.push(model.predict(rows.indexes[at]!))
  }
  return figuresOf({ rates, clicks: rows.clicks })
}

function fit(parts: readonly ClickRows[]): Ftrl {
  const clicks = parts.reduce((sum, part) => sum + total(part.clicks), 0)
  const model = new Ftrl(clicks / parts.reduce((sum, part) => sum + part.clicks.length, 0))
  for (let pass = 0; pass < PASSES; pass++) {
    for (const part of parts) {
      part.indexes.forEach((indexes, at) =>
        model.step(indexes, model.predict(indexes) - part.clicks[at]!),
      )
    }
  }
  return model
}

const figuresOf = (scored: Scored): ClickFigures => ({
  ne: rounded(normalisedEntropy(scored)),
  calibration: rounded(predictedOverActual(scored)),
  ece: rounded(calibrationError(scored)),
  auc: rounded(areaUnderCurve(scored)),
})

const total = (clicks: Uint8Array): number => clicks.reduce((sum, click) => sum + click, 0)

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4
