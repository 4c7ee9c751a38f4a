import { logLoss } from './odds.ts'

export interface WatchLimits {
  /** Evidence decays to 1/e after this many predictions. */
  readonly memory: number
  /** No verdict before this many clicks: with fewer, coincidence alone exceeds every limit. */
  readonly clicksMin: number
  readonly entropyMax: number
  readonly ratioMin: number
  readonly ratioMax: number
  /** ECE as a share of the mean rate. */
  readonly calibrationErrorMax: number
}

export const WATCH_DEFAULTS: WatchLimits = {
  memory: 50_000,
  clicksMin: 30,
  entropyMax: 1.02,
  ratioMin: 0.7,
  ratioMax: 1.43,
  calibrationErrorMax: 0.5,
}

/** With `too-early` and `sound` the model answers, otherwise the prior. */
export type WatchVerdict =
  | 'too-early'
  | 'sound'
  | 'worse-than-the-mean'
  | 'predicts-too-little'
  | 'predicts-too-much'
  | 'not-calibrated'

export interface WatchFigures {
  readonly clicks: number
  readonly normalisedEntropy: number
  readonly predictedOverActual: number
  readonly calibrationError: number
}

/** Bins of predictions, by factors of two around 1 %. */
const BINS = 10
const FIRST_BIN_LOG2 = -12

export interface WatchSnapshot {
  readonly limits: WatchLimits
  readonly sums: readonly number[]
  readonly bins: readonly number[]
}

/** Quality of a model on recent traffic. Each prediction is recorded before the model learns from it. */
export class Watch {
  readonly limits: WatchLimits
  private seen = 0
  private clicks = 0
  private predicted = 0
  private loss = 0
  private readonly bins = new Float64Array(2 * BINS)

  constructor(limits: WatchLimits = WATCH_DEFAULTS) {
    this.limits = limits
  }

  note(rate: number, outcome: { clicked: boolean; weight: number }): void {
    const { clicked, weight } = outcome
    const kept = Math.exp(-weight / this.limits.memory)
    this.seen = kept * this.seen + weight
    this.clicks = kept * this.clicks + (clicked ? weight : 0)
    this.predicted = kept * this.predicted + rate * weight
    this.loss = kept * this.loss + logLoss(rate, clicked) * weight
    const bin = Math.floor(Math.log2(Math.max(rate, 1e-9))) - FIRST_BIN_LOG2
    const at = Math.min(BINS - 1, Math.max(0, bin))
    for (let one = 0; one < this.bins.length; one++) this.bins[one]! *= kept
    this.bins[at]! += rate * weight
    this.bins[BINS + at]! += clicked ? weight : 0
  }

  figures(): WatchFigures {
    const mean = this.clicks / this.seen
    const baseline =
      this.clicks * logLoss(mean, true) + (this.seen - this.clicks) * logLoss(mean, false)
    let gap = 0
    for (let bin = 0; bin < BINS; bin++) gap += Math.abs(this.bins[bin]! - this.bins[BINS + bin]!)
    return {
      clicks: this.clicks,
      normalisedEntropy: this.loss / baseline,
      predictedOverActual: this.predicted / this.clicks,
      calibrationError: gap / this.seen,
    }
  }

  verdict(): WatchVerdict {
    const { limits } = this
    if (this.clicks < limits.clicksMin && this.predicted < limits.clicksMin) return 'too-early'
    const figures = this.figures()
    if (figures.predictedOverActual > limits.ratioMax) return 'predicts-too-much'
    if (figures.predictedOverActual < limits.ratioMin) return 'predicts-too-little'
    if (figures.normalisedEntropy > limits.entropyMax) return 'worse-than-the-mean'
    const relative = figures.calibrationError / (this.clicks / this.seen)
    return relative > limits.calibrationErrorMax ? 'not-calibrated' : 'sound'
  }

  snapshot(): WatchSnapshot {
    return {
      limits: this.limits,
      sums: [this.seen, this.clicks, this.predicted, this.loss],
      bins: [...this.bins],
    }
  }

  static restore(snapshot: WatchSnapshot): Watch {
    const watch = new Watch(snapshot.limits)
    const [seen, clicks, predicted, loss] = snapshot.sums as [number, number, number, number]
    Object.assign(watch, { seen, clicks, predicted, loss })
    watch.bins.set(snapshot.bins)
    return watch
  }
}

export const maySpeak = (verdict: WatchVerdict): boolean =>
  verdict === 'sound' || verdict === 'too-early'
