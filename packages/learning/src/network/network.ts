import { type Draws, normalDraw } from '../random.ts'

/** Layer sizes, and the parameters layer by layer: the weights of each unit, then the biases. */
export interface NetworkSnapshot {
  readonly sizes: readonly number[]
  readonly parameters: readonly number[]
}

/** A fully connected network: ReLU inside, linear at the end. */
export class Network {
  readonly sizes: readonly number[]
  readonly parameters: Float64Array
  /** Values of every layer after the last `forward`, input first. */
  private readonly layers: readonly Float64Array[]
  private readonly slopes: readonly Float64Array[]

  constructor(sizes: readonly number[], parameters?: ArrayLike<number>) {
    this.sizes = sizes
    this.parameters = new Float64Array(parameterCount(sizes))
    if (parameters !== undefined) this.parameters.set(parameters)
    this.layers = sizes.map((size) => new Float64Array(size))
    this.slopes = sizes.map((size) => new Float64Array(size))
  }

  /** He initialisation: weights with standard deviation √(2 / inputs), biases 0. */
  static random(sizes: readonly number[], draws: Draws): Network {
    const network = new Network(sizes)
    let at = 0
    for (let layer = 1; layer < sizes.length; layer++) {
      const inputs = sizes[layer - 1]!
      const weights = inputs * sizes[layer]!
      const spread = Math.sqrt(2 / inputs)
      for (let one = 0; one < weights; one++) {
        network.parameters[at + one] = spread * normalDraw(draws)
      }
      at += weights + sizes[layer]!
    }
    return network
  }

  /** Returns the output layer. The next call overwrites it. */
  forward(input: ArrayLike<number>): Float64Array {
    this.layers[0]!.set(input)
    let at = 0
    for (let layer = 1; layer < this.sizes.length; layer++) {
      this.forwardLayer(layer, at)
      at += this.sizes[layer]! * (this.sizes[layer - 1]! + 1)
    }
    return this.layers.at(-1)!
  }

  private forwardLayer(layer: number, start: number): void {
    const from = this.layers[layer - 1]!
    const to = this.layers[layer]!
    const { parameters } = this
    const isLast = layer === this.sizes.length - 1
    const biases = start + from.length * to.length
    let at = start
    for (let unit = 0; unit < to.length; unit++) {
      let sum = parameters[biases + unit]!
      for (let one = 0; one < from.length; one++) sum += parameters[at++]! * from[one]!
      to[unit] = isLast || sum > 0 ? sum : 0
    }
  }

  /** Adds d loss / d parameter of the last `forward` to `gradient`, given d loss / d output. */
  backward(outputSlope: ArrayLike<number>, gradient: Float64Array): void {
    this.slopes.at(-1)!.set(outputSlope)
    let start = this.parameters.length
    for (let layer = this.sizes.length - 1; layer > 0; layer--) {
      start -= this.sizes[layer]! * (this.sizes[layer - 1]! + 1)
      this.backwardLayer(layer, start, gradient)
    }
  }

  private backwardLayer(layer: number, start: number, gradient: Float64Array): void {
    const from = this.layers[layer - 1]!
    const slope = this.slopes[layer]!
    const below = this.slopes[layer - 1]!.fill(0)
    const { parameters } = this
    const biases = start + from.length * slope.length
    for (let unit = 0; unit < slope.length; unit++) {
      const steep = slope[unit]!
      if (steep === 0) continue
      gradient[biases + unit]! += steep
      const at = start + unit * from.length
      for (let one = 0; one < from.length; one++) {
        gradient[at + one]! += steep * from[one]!
        below[one]! += steep * parameters[at + one]!
      }
    }
    if (layer === 1) return
    for (let one = 0; one < below.length; one++) if (from[one] === 0) below[one] = 0
  }

  /** Makes every output 0 for any input, until training changes the last layer. */
  silence(): this {
    this.parameters.fill(0, this.parameters.length - this.sizes.at(-1)! * (this.sizes.at(-2)! + 1))
    return this
  }

  copy(): Network {
    return new Network(this.sizes, this.parameters)
  }

  snapshot(): NetworkSnapshot {
    return { sizes: [...this.sizes], parameters: [...this.parameters] }
  }

  static restore(snapshot: NetworkSnapshot): Network {
    if (snapshot.parameters.length !== parameterCount(snapshot.sizes)) {
      throw new RangeError(
        `${snapshot.parameters.length} parameters for ${snapshot.sizes.join('-')}`,
      )
    }
    return new Network(snapshot.sizes, snapshot.parameters)
  }
}

export function parameterCount(sizes: readonly number[]): number {
  let count = 0
  for (let layer = 1; layer < sizes.length; layer++)
    count += sizes[layer]! * (sizes[layer - 1]! + 1)
  return count
}
