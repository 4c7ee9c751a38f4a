export interface CalibrationSettings {
  /** How many clicks the belief "the model is right" is worth. */
  readonly priorClicks: number
  /** Evidence fades to 1/e after so many predicted clicks. */
  readonly memoryClicks: number
}

export const CALIBRATION_DEFAULTS: CalibrationSettings = { priorClicks: 5, memoryClicks: 50 }

export interface CalibrationSnapshot {
  readonly settings: CalibrationSettings
  readonly clicks: number
  readonly predicted: number
}

/** One factor on the odds: clicks of recent traffic over what the model had said of it. */
export class Calibration {
  readonly settings: CalibrationSettings
  private clicks = 0
  private predicted = 0

  constructor(settings: CalibrationSettings = CALIBRATION_DEFAULTS) {
    this.settings = settings
  }

  get factor(): number {
    const { priorClicks } = this.settings
    return (this.clicks + priorClicks) / (this.predicted + priorClicks)
  }

  apply(rate: number): number {
    const odds = (this.factor * rate) / (1 - rate)
    return odds / (1 + odds)
  }

  /** `rate` is what the model said before calibration. */
  note(rate: number, outcome: { clicked: boolean; weight: number }): void {
    const kept = Math.exp((-rate * outcome.weight) / this.settings.memoryClicks)
    this.clicks = kept * this.clicks + (outcome.clicked ? outcome.weight : 0)
    this.predicted = kept * this.predicted + rate * outcome.weight
  }

  snapshot(): CalibrationSnapshot {
    return { settings: this.settings, clicks: this.clicks, predicted: this.predicted }
  }

  static restore(snapshot: CalibrationSnapshot): Calibration {
    const calibration = new Calibration(snapshot.settings)
    calibration.clicks = snapshot.clicks
    calibration.predicted = snapshot.predicted
    return calibration
  }
}
