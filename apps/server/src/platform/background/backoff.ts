import type { Random } from '../random.ts'

/** How long to wait before the next try. */
export interface Backoff {
  readonly firstMs: number
  readonly maxMs: number
  /** Each wait is this many times the one before; 2 unless given. */
  readonly factor?: number
}

/** Large enough for every `maxMs`, and far from overflow. */
const STEPS_MAX = 30

/** The wait after so many failures in a row: `firstMs`, growing up to `maxMs`. */
export const backoffMs = ({ firstMs, maxMs, factor = 2 }: Backoff, failures: number): number =>
  Math.min(maxMs, firstMs * factor ** Math.min(failures - 1, STEPS_MAX))

/** Up to twice the wait, at random, so that a crowd does not come back all at once; never above `maxMs`. */
export const jitteredBackoffMs = (backoff: Backoff, failures: number, random: Random): number =>
  Math.round(Math.min(backoff.maxMs, backoffMs(backoff, failures) * (1 + random.draw())))
