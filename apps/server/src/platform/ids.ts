import { v7 } from 'uuid'
import type { Chance } from './chance.ts'
import type { Clock } from './clock.ts'

/** Makes the ids that the outside sees: uuid v7, in order of creation. */
export interface Ids {
  next(): string
}

export function idsFrom({ clock, chance }: { clock: Clock; chance: Chance }): Ids {
  let lastMs = 0
  let sequence = 0

  return {
    next() {
      const nowMs = clock.now().getTime()
      sequence = nowMs > lastMs ? 0 : sequence + 1
      lastMs = Math.max(nowMs, lastMs)
      return v7({ msecs: lastMs, seq: sequence, random: chance.bytes(16) })
    },
  }
}
