export interface CalibrationSettings {
  /** Weight of the prior "the model is right", in clicks. */
  readonly priorClicks: number
  /** Expected number of predicted clicks between two changes, each of which resets the estimate. */
  readonly clicksPerChange: number
}

const CALIBRATION_DEFAULTS: CalibrationSettings = { priorClicks: 5, clicksPerChange: 100 }

export interface CalibrationSnapshot {
  readonly settings: CalibrationSettings
  readonly belief: readonly number[]
  readonly clicks: number
  readonly predicted: number
}

/** Factors from 1/20 to 20, in equal steps of their logarithms. */
const CELLS = 81
const REACH = 3
const FACTORS = Float64Array.from({ length: CELLS }, (_, cell) =>
  Math.exp(REACH * ((2 * cell) / (CELLS - 1) - 1)),
)
/** Number of predicted clicks that are collected before the probabilities are updated. */
const BATCH_CLICKS = 0.1

/**
 * A factor on the odds: recent clicks relative to the model's predictions. Keeps probabilities on a grid
 * of factors and updates them with each click. They sharpen while the rate is stable, and return to the
 * prior within a few clicks after a change.
 */
export class Calibration {
  readonly settings: CalibrationSettings
  private readonly prior: Float64Array
  private readonly belief: Float64Array
  private clicks = 0
  private predicted = 0
  private mean = 1

  constructor(settings: CalibrationSettings = CALIBRATION_DEFAULTS) {
    this.settings = settings
    const { priorClicks } = settings
    this.prior = FACTORS.map((factor) => Math.exp(priorClicks * (Math.log(factor) + 1 - factor)))
    scaleToOne(this.prior)
    this.belief = this.prior.slice()
    this.mean = meanOf(this.belief)
  }

  get factor(): number {
    return this.mean
  }

  apply(rate: number): number {
    const odds = (this.mean * rate) / (1 - rate)
    return odds / (1 + odds)
  }

  /** `rate` is the model's prediction before calibration. */
  note(rate: number, outcome: { clicked: boolean; weight: number }): void {
    this.predicted += rate * outcome.weight
    if (outcome.clicked) this.clicks += outcome.weight
    if (outcome.clicked || this.predicted >= BATCH_CLICKS) this.weigh()
  }

  /** Given a factor, clicks are Poisson with mean factor × predicted. */
  private weigh(): void {
    const { belief, prior, clicks, predicted } = this
    const changed = 1 - Math.exp(-predicted / this.settings.clicksPerChange)
    for (let cell = 0; cell < CELLS; cell++) {
      const kept = (1 - changed) * belief[cell]! + changed * prior[cell]!
      const factor = FACTORS[cell]!
      belief[cell] = kept * Math.exp(clicks * Math.log(factor) - predicted * factor)
    }
    scaleToOne(belief)
    this.mean = meanOf(belief)
    this.clicks = 0
    this.predicted = 0
  }

  snapshot(): CalibrationSnapshot {
    const { settings, belief, clicks, predicted } = this
    return { settings, belief: [...belief], clicks, predicted }
  }

  static restore(snapshot: CalibrationSnapshot): Calibration {
    const calibration = new Calibration(snapshot.settings)
    calibration.belief.set(snapshot.belief)
    calibration.clicks = snapshot.clicks
    calibration.predicted = snapshot.predicted
    calibration.mean = meanOf(calibration.belief)
    return calibration
  }
}

function scaleToOne(belief: Float64Array): void {
  let mass = 0
  for (let cell = 0; cell < CELLS; cell++) mass += belief[cell]!
  for (let cell = 0; cell < CELLS; cell++) belief[cell]! /= mass
}

/** Without changes this is (clicks + prior) / (predicted + prior). */
function meanOf(belief: Float64Array): number {
  let sum = 0
  for (let cell = 0; cell < CELLS; cell++) sum += belief[cell]! * FACTORS[cell]!
  return sum
}
