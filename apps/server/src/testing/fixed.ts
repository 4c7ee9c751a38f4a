import { createHash } from 'node:crypto'
import type { Random } from '../platform/random.ts'
import type { Clock } from '../platform/clock.ts'

export interface MovableClock extends Clock {
  moveTo(instant: string): void
  advance(seconds: number): void
}

/** Time stands still until a test moves it. */
export function fixedClock(instant = '2026-06-15T12:00:00Z'): MovableClock {
  let now = new Date(instant)
  return {
    now: () => new Date(now),
    moveTo: (instant) => (now = new Date(instant)),
    advance: (seconds) => (now = new Date(now.getTime() + seconds * 1_000)),
  }
}

/** The same numbers in every run with the same seed. */
export function seededRandom(seed = 'placard'): Random {
  let count = 0
  const block = () => createHash('sha256').update(`${seed} ${count++}`).digest()
  return {
    bytes(length) {
      const blocks = Array.from({ length: Math.ceil(length / 32) }, block)
      return new Uint8Array(Buffer.concat(blocks).subarray(0, length))
    },
    draw: () => block().readUInt32BE() / 2 ** 32,
  }
}
