import { type SpendCurve, spendAt } from './spend-curve.ts'
import type { WindowReport } from './policy.ts'

export interface OffsetSettings {
  /** Usual difference of a day from its history, in ln k. */
  readonly spread: number
  /** Probability that the history is wrong. Then all offsets of the grid are equally likely. */
  readonly outlier: number
  /** Relative variation of a window's spend beyond that of single auctions. */
  readonly scatter: number
  /** Standard deviation of the offset's change between two windows. */
  readonly drift: number
}

export const OFFSET_DEFAULTS: OffsetSettings = {
  spread: 0.25,
  outlier: 0.02,
  scatter: 0.3,
  drift: 0.02,
}

/** History may be wrong by a factor of 10 in either direction. */
const REACH = 2.4
const CELLS = 121
const STEP = (2 * REACH) / (CELLS - 1)
/** Mean square of a price divided by its squared mean. Real price lists have 1.2 to 1.6. */
const PRICE_SPREAD = 1.4
/** If the curve has no usual price: the one of the logs on which we measured the policies. */
const UNKNOWN_PRICE = 30
const LIKELIHOOD_MIN = 1e-12
/** Share of a cell that may move to each neighbour in one step. */
const PART_MAX = 0.25

/**
 * How far today's market differs from the curve of history: probabilities on a grid of offsets s, where
 * today's spend at k is history's at k·eˢ. The heavy tail reveals a wrong history within a few windows.
 * The narrow middle keeps noise from moving the estimate when the history is right.
 */
export class OffsetFilter {
  private readonly settings: OffsetSettings
  private readonly belief = new Float64Array(CELLS)
  private readonly moved = new Float64Array(CELLS)

  constructor(settings: OffsetSettings = OFFSET_DEFAULTS) {
    this.settings = settings
    const { spread, outlier } = settings
    for (let cell = 0; cell < CELLS; cell++) {
      const z = offsetOf(cell) / spread
      const usual = Math.exp((-z * z) / 2) / (spread * Math.sqrt(2 * Math.PI))
      this.belief[cell] = (1 - outlier) * usual + outlier / (2 * REACH)
    }
    this.normalise()
  }

  get mean(): number {
    let sum = 0
    for (let cell = 0; cell < CELLS; cell++) sum += this.belief[cell]! * offsetOf(cell)
    return sum
  }

  /** Adds a window at multiplier e^ln that the budget did not cut short. */
  note(curve: SpendCurve, lnMultiplier: number, report: WindowReport): void {
    const { usualPrice = UNKNOWN_PRICE } = curve
    const price = report.wins > 0 ? report.spend / report.wins : usualPrice
    let best = -Infinity
    for (let cell = 0; cell < CELLS; cell++) {
      const mean = Math.max(1e-9, report.requests * spendAt(curve, lnMultiplier + offsetOf(cell)))
      const variance =
        PRICE_SPREAD * price * mean + (this.settings.scatter * mean) ** 2 + 0.1 * price * price
      const log = report.isBraked
        ? Math.log(probabilityAbove((report.spend - mean) / Math.sqrt(variance)))
        : -((report.spend - mean) ** 2) / (2 * variance) - Math.log(variance) / 2
      this.moved[cell] = log
      best = Math.max(best, log)
    }
    for (let cell = 0; cell < CELLS; cell++) {
      this.belief[cell]! *= Math.exp(this.moved[cell]! - best) + LIKELIHOOD_MIN
    }
    this.normalise()
    this.wander()
  }

  /** Moves in small steps: one large step would make probabilities negative. */
  private wander(): void {
    const part = this.settings.drift ** 2 / (2 * STEP * STEP)
    const moves = Math.ceil(part / PART_MAX)
    for (let move = 0; move < moves; move++) this.spread(part / moves)
  }

  private spread(part: number): void {
    this.moved.set(this.belief)
    for (let cell = 0; cell < CELLS; cell++) {
      const here = this.moved[cell]!
      const around = (this.moved[cell - 1] ?? here) + (this.moved[cell + 1] ?? here)
      this.belief[cell] = here + part * (around - 2 * here)
    }
  }

  private normalise(): void {
    const mass = this.belief.reduce((sum, probability) => sum + probability, 0)
    for (let cell = 0; cell < CELLS; cell++) this.belief[cell]! /= mass
  }
}

const offsetOf = (cell: number): number => -REACH + cell * STEP

/** Probability that a standard normal draw is above z (a logistic curve, good to two digits). */
const probabilityAbove = (z: number): number =>
  Math.max(LIKELIHOOD_MIN, 1 / (1 + Math.exp(1.702 * z)))
