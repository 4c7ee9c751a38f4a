import type { Draws } from './run.ts'

/** Random draws from a seed (mulberry32). A recorded seed replays its decision. */
export function seededDraws(seed: number): Draws {
  let state = seed >>> 0
  return {
    next() {
      state = (state + 0x6d2b79f5) >>> 0
      return mix(state) / 4_294_967_296
    },
  }
}

/**
 * One draw per key of a request, independent of the order of candidates: a gate that draws gives the
 * same verdict on a candidate even if the auction stops early.
 */
export const keyedDraw = (seed: number, key: number): number =>
  mix((mix(seed >>> 0) ^ Math.imul(key >>> 0, 0x9e3779b1)) >>> 0) / 4_294_967_296

function mix(value: number): number {
  let t = Math.imul(value ^ (value >>> 15), value | 1)
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
  return (t ^ (t >>> 14)) >>> 0
}
