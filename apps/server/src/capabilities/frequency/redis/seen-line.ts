import type { CapScope, FrequencyWindow } from '@placard/decision-engine'
import { kindOf } from '../counters/windows.ts'

/** The moment of a read. */
export interface Moment {
  readonly nowMs: number
  /** Stamps of the current windows by kind. */
  readonly stamps: Int32Array
}

export const fieldOf = (kind: number, key: number) => `c${kind}.${key}`

/**
 * One user's counts as the line that Redis returns: names and values of the hash, separated by
 * commas. Parsed only on demand, because most users are new or never saw a capped ad.
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
