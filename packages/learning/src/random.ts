/** Random numbers in [0, 1). The only source of randomness in this package. */
export interface Draws {
  next(): number
}

/** Random draws from a seed (mulberry32). */
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

/** A standard normal draw by Box and Muller. Uses two draws. */
export function normalDraw(draws: Draws): number {
  const radius = Math.sqrt(-2 * Math.log(1 - draws.next()))
  return radius * Math.cos(2 * Math.PI * draws.next())
}

export const drawBelow = (draws: Draws, limit: number): number => Math.floor(draws.next() * limit)
