import type { Random } from '../random.ts'

/** The pause before each new attempt. */
export interface Backoff {
  readonly firstMs: number
  readonly maxMs: number
  /** Growth per failure; default 2. */
  readonly factor?: number
}

/** Large enough for every `maxMs`, and far from overflow. */
const STEPS_MAX = 30

/** The pause after this many failures in a row: `firstMs`, growing up to `maxMs`. */
export const backoffMs = ({ firstMs, maxMs, factor = 2 }: Backoff, failures: number): number =>
  Math.min(maxMs, firstMs * factor ** Math.min(failures - 1, STEPS_MAX))

/** Adds up to 100 % at random, so that many clients do not return at the same moment; at most `maxMs`. */
export const jitteredBackoffMs = (backoff: Backoff, failures: number, random: Random): number =>
  Math.round(Math.min(backoff.maxMs, backoffMs(backoff, failures) * (1 + random.draw())))
