import { type Draws, normalDraw } from '../random.ts'

/** Draws from Gamma(shape, 1) by Marsaglia and Tsang (2000). Shapes below 1 use a draw for shape + 1. */
export function gammaDraw(shape: number, draws: Draws): number {
  if (!(shape > 0)) throw new RangeError(`the shape of a gamma must be above 0, not ${shape}`)
  if (shape < 1) return gammaDraw(shape + 1, draws) * (1 - draws.next()) ** (1 / shape)
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const x = normalDraw(draws)
    const v = (1 + c * x) ** 3
    if (v <= 0) continue
    const u = 1 - draws.next()
    if (Math.log(u) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v
  }
  return d
}

/** About 5 % of the rounds are rejected. A source of draws that is always rejected is broken. */
const ROUNDS_MAX = 1_000

export interface Beta {
  readonly a: number
  readonly b: number
}

const EDGE = 1e-9

/** A random rate that fits the evidence, strictly between 0 and 1. */
export function betaDraw({ a, b }: Beta, draws: Draws): number {
  const x = gammaDraw(a, draws)
  const y = gammaDraw(b, draws)
  const rate = x + y === 0 ? 0.5 : x / (x + y)
  return Math.min(1 - EDGE, Math.max(EDGE, rate))
}

export const betaMean = ({ a, b }: Beta): number => a / (a + b)
