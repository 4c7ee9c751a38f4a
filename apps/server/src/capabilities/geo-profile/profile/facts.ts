import { WINDOW_MS } from './country-score.ts'

/** One session's observations in one country within one hour. */
export interface Fact {
  readonly userId: string
  readonly deviceSessionId: string
  readonly observedCountry: string
  readonly hourMs: number
  observations: number
  /** One bit per ten minutes. */
  windows: number
  firstSeenMs: number
  lastSeenMs: number
}

export type FactKey = Pick<Fact, 'userId' | 'deviceSessionId' | 'observedCountry' | 'hourMs'>

export interface FactSighting extends Omit<FactKey, 'hourMs'> {
  readonly atMs: number
}

const HOUR_MS = 3_600_000

export const hourOf = (atMs: number): number => Math.floor(atMs / HOUR_MS) * HOUR_MS

const bitOf = (atMs: number): number => 1 << Math.floor((atMs % HOUR_MS) / WINDOW_MS)

export const factName = ({ userId, deviceSessionId, observedCountry, hourMs }: FactKey): string =>
  JSON.stringify([userId, deviceSessionId, observedCountry, hourMs])

/** The facts of a batch. Earlier facts show which windows are taken. */
export class FactBook {
  private readonly known: ReadonlyMap<string, number>
  private readonly facts = new Map<string, Fact>()

  constructor(known: ReadonlyMap<string, number>) {
    this.known = known
  }

  /** Records a sighting. True if it is the first of its session and country in its ten minutes. */
  note({ atMs, ...sighting }: FactSighting): boolean {
    const key = { ...sighting, hourMs: hourOf(atMs) }
    const name = factName(key)
    let fact = this.facts.get(name)
    if (!fact) {
      fact = { ...key, observations: 0, windows: 0, firstSeenMs: atMs, lastSeenMs: atMs }
      this.facts.set(name, fact)
    }
    const bit = bitOf(atMs)
    const isNewWindow = ((fact.windows | (this.known.get(name) ?? 0)) & bit) === 0
    fact.observations++
    fact.windows |= bit
    fact.firstSeenMs = Math.min(fact.firstSeenMs, atMs)
    fact.lastSeenMs = Math.max(fact.lastSeenMs, atMs)
    return isNewWindow
  }

  /** The new facts of this batch. */
  list(): Fact[] {
    return [...this.facts.values()]
  }
}
