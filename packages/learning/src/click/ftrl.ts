import { logOdds, sigmoid } from './odds.ts'

export interface FtrlSettings {
  /** The table has 2^bits entries. */
  readonly bits: number
  readonly alpha: number
  readonly beta: number
  readonly l1: number
  readonly l2: number
}

export const FTRL_DEFAULTS: FtrlSettings = { bits: 18, alpha: 0.05, beta: 1, l1: 0, l2: 1 }

/** Leaves out indexes that were never touched. */
export interface FtrlSnapshot {
  readonly settings: FtrlSettings
  readonly bias: number
  readonly biasSquares: number
  readonly indexes: readonly number[]
  readonly z: readonly number[]
  readonly n: readonly number[]
}

/**
 * Logistic regression by FTRL-proximal (McMahan et al. 2013). The bias is not regularised and starts at
 * the prior's log-odds, so an unseen feature adds nothing instead of pulling towards 0.5.
 */
export class Ftrl {
  readonly settings: FtrlSettings
  private readonly z: Float64Array
  private readonly n: Float64Array
  private bias: number
  private biasSquares = 0

  constructor(prior: number, settings: FtrlSettings = FTRL_DEFAULTS) {
    this.settings = settings
    this.z = new Float64Array(2 ** settings.bits)
    this.n = new Float64Array(2 ** settings.bits)
    this.bias = logOdds(prior)
  }

  /** The bias: the margin of a request without any known feature. */
  get biasTerm(): number {
    return this.bias
  }

  /** What these features add to the margin. */
  term(indexes: Uint32Array): number {
    let sum = 0
    for (const index of indexes) sum += this.weight(index)
    return sum
  }

  margin(indexes: Uint32Array): number {
    return this.bias + this.term(indexes)
  }

  predict(indexes: Uint32Array): number {
    return sigmoid(this.margin(indexes))
  }

  /** One step against the gradient of the log loss: `error` is (predicted − actual) × weight. */
  step(indexes: Uint32Array, error: number): void {
    const squared = error * error
    for (const index of indexes) {
      const n = this.n[index]!
      const sigma = (Math.sqrt(n + squared) - Math.sqrt(n)) / this.settings.alpha
      this.z[index]! += error - sigma * this.weight(index)
      this.n[index] = n + squared
    }
    // FTRL-proximal without regularisation.
    this.biasSquares += squared
    this.bias -= (this.settings.alpha * error) / (this.settings.beta + Math.sqrt(this.biasSquares))
  }

  private weight(index: number): number {
    const z = this.z[index]!
    const { alpha, beta, l1, l2 } = this.settings
    if (Math.abs(z) <= l1) return 0
    return -(z - Math.sign(z) * l1) / ((beta + Math.sqrt(this.n[index]!)) / alpha + l2)
  }

  snapshot(): FtrlSnapshot {
    const indexes: number[] = []
    for (let index = 0; index < this.n.length; index++) if (this.n[index] !== 0) indexes.push(index)
    return {
      settings: this.settings,
      bias: this.bias,
      biasSquares: this.biasSquares,
      indexes,
      z: indexes.map((index) => this.z[index]!),
      n: indexes.map((index) => this.n[index]!),
    }
  }

  static restore(snapshot: FtrlSnapshot): Ftrl {
    const model = new Ftrl(0.5, snapshot.settings)
    model.bias = snapshot.bias
    model.biasSquares = snapshot.biasSquares
    snapshot.indexes.forEach((index, at) => {
      model.z[index] = snapshot.z[at]!
      model.n[index] = snapshot.n[at]!
    })
    return model
  }
}
