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
  /** The rate of an average request before anything is known. */
  readonly prior: number
  /** Which share of the unclicked is handed to `learn`; each then counts for 1 / share. */
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

/** One request with what is believed of it before learning; without `prior` the model's own holds. */
export interface ClickRow {
  readonly slots: Uint32Array
  readonly prior?: number | undefined
}

/**
 * Click (or conversion) prediction for one currency of evidence: FTRL on hashed features, calibrated
 * on recent traffic, watched by itself. While the watch finds it off it answers with the prior, and
 * goes on learning.
 */
export class ClickModel {
  readonly prior: number
  readonly negativeShare: number
  private ftrl: Ftrl
  private calibration: Calibration
  private watch: Watch
  /** The verdict is asked once per lesson, not once per prediction. */
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

  /** Predicts, notes how good that was, then learns; gives the prediction it would have answered. */
  learn(row: ClickRow, clicked: boolean, negativeShare = this.negativeShare): number {
    const weight = clicked ? 1 : 1 / negativeShare
    const raw = sigmoid(this.margin(row))
    const rate = this.calibration.apply(raw)
    const answer = this.speaks ? rate : (row.prior ?? this.prior)

    this.watch.note(rate, { clicked, weight })
    this.calibration.note(raw, { clicked, weight })
    this.ftrl.step(row.slots, (raw - (clicked ? 1 : 0)) * weight)
    this.speaks = maySpeak(this.verdict)
    return answer
  }

  /**
   * Forgets how right it was, not what it learned: for a model of past logs that meets new traffic,
   * where five clicks should weigh more than all the agreement of the past.
   */
  meetNewTraffic(): void {
    this.calibration = new Calibration(this.calibration.settings)
    this.watch = new Watch(this.watch.limits)
    this.speaks = true
  }

  /** Off, the prior answers for it. */
  get isSpeaking(): boolean {
    return this.speaks
  }

  /** What an ad's own features add to the margin: the decision index holds e^term per ad. */
  adTerm(slots: Uint32Array): number {
    return this.speaks ? this.ftrl.term(slots) : 0
  }

  /** What everybody's traffic adds to the margin of the prior: the bias and the calibration. */
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

  private margin({ slots, prior }: ClickRow): number {
    const shift = prior === undefined ? 0 : logOdds(prior) - logOdds(this.prior)
    return this.ftrl.margin(slots) + shift
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
