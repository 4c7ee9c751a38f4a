import { SLOT_MS } from './country-score.ts'

/** What one session showed of one country within one hour. */
export interface Fact {
  readonly userId: string
  readonly deviceSessionId: string
  readonly observedCountry: string
  readonly hourMs: number
  observations: number
  /** One bit for each ten minutes. */
  slots: number
  firstSeenMs: number
  lastSeenMs: number
}

export type FactKey = Pick<Fact, 'userId' | 'deviceSessionId' | 'observedCountry' | 'hourMs'>

export interface FactSighting extends Omit<FactKey, 'hourMs'> {
  readonly atMs: number
}

const HOUR_MS = 3_600_000

export const hourOf = (atMs: number): number => Math.floor(atMs / HOUR_MS) * HOUR_MS

const bitOf = (atMs: number): number => 1 << Math.floor((atMs % HOUR_MS) / SLOT_MS)

export const factName = ({ userId, deviceSessionId, observedCountry, hourMs }: FactKey): string =>
  JSON.stringify([userId, deviceSessionId, observedCountry, hourMs])

/** The facts of a batch: those that are known from before say which slots are taken. */
export class FactBook {
  private readonly known: ReadonlyMap<string, number>
  private readonly facts = new Map<string, Fact>()

  constructor(known: ReadonlyMap<string, number>) {
    this.known = known
  }

  /** Notes a sighting; true if it is the first of its session and country in its ten minutes. */
  note({ atMs, ...sighting }: FactSighting): boolean {
    const key = { ...sighting, hourMs: hourOf(atMs) }
    const name = factName(key)
    let fact = this.facts.get(name)
    if (!fact) {
      fact = { ...key, observations: 0, slots: 0, firstSeenMs: atMs, lastSeenMs: atMs }
      this.facts.set(name, fact)
    }
    const bit = bitOf(atMs)
    const isNewSlot = ((fact.slots | (this.known.get(name) ?? 0)) & bit) === 0
    fact.observations++
    fact.slots |= bit
    fact.firstSeenMs = Math.min(fact.firstSeenMs, atMs)
    fact.lastSeenMs = Math.max(fact.lastSeenMs, atMs)
    return isNewSlot
  }

  /** What is new in this batch. */
  list(): Fact[] {
    return [...this.facts.values()]
  }
}
