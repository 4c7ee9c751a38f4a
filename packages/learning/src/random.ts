/** Numbers in [0, 1). All randomness of this package comes in through one of these. */
export interface Draws {
  next(): number
}

/** Draws that a seed determines (mulberry32). */
export function seededDraws(seed: number): Draws {
  let state = seed >>> 0
  return {
    next() {
      state = (state + 0x6d2b79f5) >>> 0
      let mixed = Math.imul(state ^ (state >>> 15), state | 1)
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
    },
  }
}

/** Standard normal, by Box and Muller; uses two draws. */
export function normalDraw(draws: Draws): number {
  const radius = Math.sqrt(-2 * Math.log(1 - draws.next()))
  return radius * Math.cos(2 * Math.PI * draws.next())
}

export const drawBelow = (draws: Draws, limit: number): number => Math.floor(draws.next() * limit)
