import { seededDraws } from '../../packages/decision-engine/src/index.ts'

/** Seeded random draws with the distributions of a catalogue. */
export class Dice {
  private readonly draws
  private readonly zipfTables = new Map<number, Float64Array>()

  constructor(seed: number) {
    this.draws = seededDraws(seed)
  }

  next(): number {
    return this.draws.next()
  }

  below(limit: number): number {
    return Math.floor(this.draws.next() * limit)
  }

  random(share: number): boolean {
    return this.draws.next() < share
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!
  }

  logNormal(): number {
    const u = Math.max(this.draws.next(), 1e-12)
    return Math.exp(0.6 * Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * this.draws.next()))
  }

  /** 1…size with probability proportional to 1/rank. */
  zipf(size: number): number {
    let table = this.zipfTables.get(size)
    if (table === undefined) {
      table = new Float64Array(size)
      let total = 0
      for (let rank = 1; rank <= size; rank++) table[rank - 1] = total += 1 / rank
      for (let at = 0; at < size; at++) table[at]! /= total
      this.zipfTables.set(size, table)
    }
    const draw = this.draws.next()
    let low = 0
    let high = size - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (table[middle]! > draw) high = middle
      else low = middle + 1
    }
    return low + 1
  }
}
