import { type Draws, normalDraw } from '../random.ts'

/** Gamma(shape, 1) by Marsaglia and Tsang (2000); below 1 by the power of a draw for shape + 1. */
export function gammaDraw(shape: number, draws: Draws): number {
  if (!(shape > 0)) throw new RangeError(`a gamma has a shape above 0, not ${shape}`)
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

/** A round is refused about once in twenty; a source that always is refused is broken. */
const ROUNDS_MAX = 1_000

export interface Beta {
  readonly a: number
  readonly b: number
}

const EDGE = 1e-9

/** A rate that the evidence allows, never quite 0 or 1. */
export function betaDraw({ a, b }: Beta, draws: Draws): number {
  const x = gammaDraw(a, draws)
  const y = gammaDraw(b, draws)
  const rate = x + y === 0 ? 0.5 : x / (x + y)
  return Math.min(1 - EDGE, Math.max(EDGE, rate))
}

export const betaMean = ({ a, b }: Beta): number => a / (a + b)
