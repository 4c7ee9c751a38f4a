import { randomBytes } from 'node:crypto'

/** Where chance comes from. Passed in everywhere, so that any run can be replayed from its seed. */
export interface Chance {
  bytes(count: number): Uint8Array
  /** A number from 0 up to, but not including, 1. */
  draw(): number
}

/** Unpredictable: fit for keys and tokens. */
export const systemChance: Chance = {
  bytes: (count) => randomBytes(count),
  draw: () => Math.random(),
}
