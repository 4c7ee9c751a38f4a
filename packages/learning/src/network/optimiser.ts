/** Updates parameters against a gradient, in place. */
export interface Optimiser {
  step(parameters: Float64Array, gradient: Float64Array): void
}

export const plainSgd = (rate: number): Optimiser => ({
  step(parameters, gradient) {
    for (let at = 0; at < parameters.length; at++) parameters[at]! -= rate * gradient[at]!
  },
})

const MEAN_KEPT = 0.9
const SQUARE_KEPT = 0.999
const SMALL = 1e-8

/** Adam (Kingma and Ba 2015) with its published constants. */
export class Adam implements Optimiser {
  rate: number
  private readonly mean: Float64Array
  private readonly square: Float64Array
  private steps = 0

  constructor(rate: number, parameters: number) {
    this.rate = rate
    this.mean = new Float64Array(parameters)
    this.square = new Float64Array(parameters)
  }

  step(parameters: Float64Array, gradient: Float64Array): void {
    this.steps++
    const { mean, square } = this
    const meanScale = 1 / (1 - MEAN_KEPT ** this.steps)
    const squareScale = 1 / (1 - SQUARE_KEPT ** this.steps)
    for (let at = 0; at < parameters.length; at++) {
      const slope = gradient[at]!
      const m = (mean[at] = MEAN_KEPT * mean[at]! + (1 - MEAN_KEPT) * slope)
      const v = (square[at] = SQUARE_KEPT * square[at]! + (1 - SQUARE_KEPT) * slope * slope)
      parameters[at]! -= (this.rate * m * meanScale) / (Math.sqrt(v * squareScale) + SMALL)
    }
  }
}
