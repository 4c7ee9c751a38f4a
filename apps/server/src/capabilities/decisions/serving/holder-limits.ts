import type { Holder } from '../../budgets/index.ts'

/** Holders share cells by their numbers: a collision makes the bound stricter, never looser. */
const CELLS = 2 ** 16

/**
 * How often each holder did something lately, in a sliding window: two windows are kept, and the older
 * counts with the part that is less than one window length ago. Memory of fixed size.
 */
export class HolderLimits {
  /** How often a holder wanted more. */
  refused = 0
  private readonly max: number
  private readonly windowMs: number
  private window = -Infinity
  private current = new Uint32Array(CELLS)
  private previous = new Uint32Array(CELLS)

  constructor(options: { readonly max: number; readonly windowMs: number }) {
    this.max = options.max
    this.windowMs = options.windowMs
  }

  /** Whether the holder may do it once more; counts it where not. */
  admits({ number }: Holder, nowMs: number): boolean {
    this.moveTo(nowMs)
    const cell = number % CELLS
    const share = 1 - (nowMs % this.windowMs) / this.windowMs
    const done = this.current[cell]! + Math.floor(this.previous[cell]! * share)
    if (done < this.max) return true
    this.refused++
    return false
  }

  note({ number }: Holder): void {
    this.current[number % CELLS]!++
  }

  private moveTo(nowMs: number): void {
    const window = Math.floor(nowMs / this.windowMs)
    if (window === this.window) return
    const isNext = window === this.window + 1
    ;[this.previous, this.current] = [this.current, this.previous]
    this.current.fill(0)
    if (!isNext) this.previous.fill(0)
    this.window = window
  }
}
