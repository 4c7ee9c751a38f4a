import type { CapScope, FrequencyWindow } from '@placard/decision-engine'
import { kindOf } from '../counters/windows.ts'

/** The moment of a read. */
export interface Moment {
  readonly nowMs: number
  /** The windows of this moment by kind. */
  readonly stamps: Int32Array
}

export const fieldOf = (kind: number, key: number) => `c${kind}.${key}`

/**
 * How often a user has seen things, as Redis tells it in one line: names and values of the hash, with
 * commas between them. Most users are new or never had a capped ad: nothing is read before it is asked.
 */
export class SeenLine {
  private readonly line: string
  private readonly moment: Moment
  private counts: ReadonlyMap<string, number> | undefined

  constructor(line: string, moment: Moment) {
    this.line = line
    this.moment = moment
  }

  seen(scope: CapScope, key: number, window: FrequencyWindow): number {
    if (this.line === '') return 0
    this.counts ??= countsOf(this.line, this.moment)
    return this.counts.get(fieldOf(kindOf(scope, window), key)) ?? 0
  }
}

function countsOf(line: string, { nowMs, stamps }: Moment): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const parts = line.split(',')
  for (let i = 0; i < parts.length; i += 2) {
    const name = parts[i]!
    const [number, ...words] = parts[i + 1]!.split(' ')
    if (!name.startsWith('h')) {
      const kind = Number(name.slice(1, name.indexOf('.')))
      if (Number(number) >= stamps[kind]!) add(counts, name, Number(words[0]))
    } else if (Number(number) > nowMs) {
      for (const field of words) add(counts, field, 1)
    }
  }
  return counts
}

const add = (counts: Map<string, number>, field: string, more: number) =>
  void counts.set(field, (counts.get(field) ?? 0) + more)
