import { logOdds, sigmoid } from './odds.ts'

export interface FtrlSettings {
  /** The table has 2^bits slots. */
  readonly bits: number
  readonly alpha: number
  readonly beta: number
  readonly l1: number
  readonly l2: number
}

export const FTRL_DEFAULTS: FtrlSettings = { bits: 18, alpha: 0.05, beta: 1, l1: 0, l2: 1 }

/** Slots that were never touched are left out. */
export interface FtrlSnapshot {
  readonly settings: FtrlSettings
  readonly bias: number
  readonly biasSquares: number
  readonly slots: readonly number[]
  readonly z: readonly number[]
  readonly n: readonly number[]
}

/**
 * Logistic regression by FTRL-proximal (McMahan et al. 2013). The bias is not regularised and starts
 * at the prior's log-odds: an unseen feature then says nothing, instead of pulling towards one half.
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

  /** Bias alone: what is known of a request none of whose features was seen. */
  get biasTerm(): number {
    return this.bias
  }

  /** What these features add to the margin. */
  term(slots: Uint32Array): number {
    let sum = 0
    for (const slot of slots) sum += this.weight(slot)
    return sum
  }

  margin(slots: Uint32Array): number {
    return this.bias + this.term(slots)
  }

  predict(slots: Uint32Array): number {
    return sigmoid(this.margin(slots))
  }

  /** One step against the gradient of the log loss: `error` is (predicted − actual) × weight. */
  step(slots: Uint32Array, error: number): void {
    const squared = error * error
    for (const slot of slots) {
      const n = this.n[slot]!
      const sigma = (Math.sqrt(n + squared) - Math.sqrt(n)) / this.settings.alpha
      this.z[slot]! += error - sigma * this.weight(slot)
      this.n[slot] = n + squared
    }
    // Without regularisation FTRL-proximal is this step.
    this.biasSquares += squared
    this.bias -= (this.settings.alpha * error) / (this.settings.beta + Math.sqrt(this.biasSquares))
  }

  private weight(slot: number): number {
    const z = this.z[slot]!
    const { alpha, beta, l1, l2 } = this.settings
    if (Math.abs(z) <= l1) return 0
    return -(z - Math.sign(z) * l1) / ((beta + Math.sqrt(this.n[slot]!)) / alpha + l2)
  }

  snapshot(): FtrlSnapshot {
    const slots: number[] = []
    for (let slot = 0; slot < this.n.length; slot++) if (this.n[slot] !== 0) slots.push(slot)
    return {
      settings: this.settings,
      bias: this.bias,
      biasSquares: this.biasSquares,
      slots,
      z: slots.map((slot) => this.z[slot]!),
      n: slots.map((slot) => this.n[slot]!),
    }
  }

  static restore(snapshot: FtrlSnapshot): Ftrl {
    const model = new Ftrl(0.5, snapshot.settings)
    model.bias = snapshot.bias
    model.biasSquares = snapshot.biasSquares
    snapshot.slots.forEach((slot, at) => {
      model.z[slot] = snapshot.z[at]!
      model.n[slot] = snapshot.n[at]!
    })
    return model
  }
}
