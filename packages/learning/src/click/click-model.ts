import { Calibration, type CalibrationSettings, type CalibrationSnapshot } from './calibration.ts'
import { Ftrl, type FtrlSettings, type FtrlSnapshot } from './ftrl.ts'
import { logOdds, sigmoid } from './odds.ts'
import {
  maySpeak,
  Watch,
  type WatchLimits,
  type WatchSnapshot,
  type WatchVerdict,
} from './watch.ts'

export interface ClickModelSettings {
  /** Click rate of an average request before any evidence. */
  readonly prior: number
  /** Share of impressions without a click that `learn` gets. Each counts 1 / share. */
  readonly negativeShare?: number | undefined
  readonly ftrl?: FtrlSettings | undefined
  readonly calibration?: CalibrationSettings | undefined
  readonly watch?: WatchLimits | undefined
}

export interface ClickModelSnapshot {
  readonly prior: number
  readonly negativeShare: number
  readonly ftrl: FtrlSnapshot
  readonly calibration: CalibrationSnapshot
  readonly watch: WatchSnapshot
}

/** Feature indexes of one request, and its prior click rate. Default: the model's prior. */
export interface ClickRow {
  readonly indexes: Uint32Array
  readonly prior?: number | undefined
}

/**
 * Predicts clicks or conversions: FTRL on hashed features, calibrated on recent traffic. It monitors its
 * own predictions. While they are off, it answers with the prior and continues to learn.
 */
export class ClickModel {
  readonly prior: number
  readonly negativeShare: number
  private ftrl: Ftrl
  private calibration: Calibration
  private watch: Watch
  /** Updated once per `learn`, not once per prediction. */
  private speaks = true

  constructor({ prior, negativeShare = 1, ftrl, calibration, watch }: ClickModelSettings) {
    if (!(negativeShare > 0 && negativeShare <= 1)) throw new RangeError(`share ${negativeShare}`)
    this.prior = prior
    this.negativeShare = negativeShare
    this.ftrl = new Ftrl(prior, ftrl)
    this.calibration = new Calibration(calibration)
    this.watch = new Watch(watch)
  }

  get verdict(): WatchVerdict {
    return this.watch.verdict()
  }

  figures(): ReturnType<Watch['figures']> {
    return this.watch.figures()
  }

  predict(row: ClickRow): number {
    if (!this.speaks) return row.prior ?? this.prior
    return this.learned(row)
  }

  /** Predicts, records how good the prediction was, then learns. Returns the prediction. */
  learn(row: ClickRow, clicked: boolean, negativeShare = this.negativeShare): number {
    const weight = clicked ? 1 : 1 / negativeShare
    const raw = sigmoid(this.margin(row))
    const rate = this.calibration.apply(raw)
    const answer = this.speaks ? rate : (row.prior ?? this.prior)

    this.watch.note(rate, { clicked, weight })
    this.calibration.note(raw, { clicked, weight })
    this.ftrl.step(row.indexes, (raw - (clicked ? 1 : 0)) * weight)
    this.speaks = maySpeak(this.verdict)
    return answer
  }

  /**
   * Resets the calibration and the monitoring, but keeps the weights: for a model of past logs that
   * meets new traffic, where five clicks should count more than the past.
   */
  meetNewTraffic(): void {
    this.calibration = new Calibration(this.calibration.settings)
    this.watch = new Watch(this.watch.limits)
    this.speaks = true
  }

  /** False while it answers with the prior. */
  get isSpeaking(): boolean {
    return this.speaks
  }

  /** What an ad's own features add to the margin. The decision index has e^term per ad. */
  adTerm(indexes: Uint32Array): number {
    return this.speaks ? this.ftrl.term(indexes) : 0
  }

  /** What bias and calibration add to the margin of the prior, for all traffic. */
  get commonTerm(): number {
    if (!this.speaks) return 0
    return this.ftrl.biasTerm - logOdds(this.prior) + Math.log(this.calibration.factor)
  }

  get bits(): number {
    return this.ftrl.settings.bits
  }

  private learned(row: ClickRow): number {
    return this.calibration.apply(sigmoid(this.margin(row)))
  }

  private margin({ indexes, prior }: ClickRow): number {
    const shift = prior === undefined ? 0 : logOdds(prior) - logOdds(this.prior)
    return this.ftrl.margin(indexes) + shift
  }

  snapshot(): ClickModelSnapshot {
    return {
      prior: this.prior,
      negativeShare: this.negativeShare,
      ftrl: this.ftrl.snapshot(),
      calibration: this.calibration.snapshot(),
      watch: this.watch.snapshot(),
    }
  }

  static restore(snapshot: ClickModelSnapshot): ClickModel {
    const model = new ClickModel({ prior: snapshot.prior, negativeShare: snapshot.negativeShare })
    model.ftrl = Ftrl.restore(snapshot.ftrl)
    model.calibration = Calibration.restore(snapshot.calibration)
    model.watch = Watch.restore(snapshot.watch)
    model.speaks = maySpeak(model.verdict)
    return model
  }
}
