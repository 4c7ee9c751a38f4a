import type { Clock } from '../../../platform/clock.ts'
import { visited, type Visitor, type VisitRow, type Visits, type VisitState } from './visits.ts'
import { VisitTable } from './visit-table.ts'

export interface MemoryVisitsOptions {
  readonly clock: Clock
  /** Takes visits that the database should know. */
  note?(row: VisitRow): void
  /** All publishers together. With more, those who were away longest are forgotten. */
  readonly readersMax?: number
}

export interface MemoryVisits extends Visits {
  see(visitor: Visitor, isDry: boolean): number
  restore(rows: Iterable<VisitRow>): void
  forget(visitor: Visitor): void
}

const READERS_MAX = 1_000_000

/**
 * Visits in the memory of one process. Each publisher has an equal share of it, so that nobody can
 * push out another's readers.
 */
export function createMemoryVisits(options: MemoryVisitsOptions): MemoryVisits {
  const { clock, note, readersMax = READERS_MAX } = options
  const byPublisher = new Map<number, OfPublisher>()
  const of = (publisherKey: number): OfPublisher => {
    let own = byPublisher.get(publisherKey)
    if (own === undefined) byPublisher.set(publisherKey, (own = new OfPublisher()))
    return own
  }
  const halfMax = () => Math.max(1, Math.floor(readersMax / byPublisher.size / 2))

  return {
    see(visitor, isDry) {
      const { userKey, publisherKey } = visitor
      const own = of(publisherKey)
      const recent = own.newer.find(userKey)
      const known = recent ?? own.older.find(userKey)
      const state = visited(known, Math.floor(clock.now().getTime() / 1_000))
      if (!isDry && state !== recent) {
        own.keep(userKey, state, halfMax())
        if (state !== known) note?.({ ...visitor, ...state })
      }
      return state.firstSeconds * 1_000
    },
    restore(rows) {
      for (const { userKey, publisherKey, firstSeconds, seenDay } of rows) {
        of(publisherKey).restore(userKey, { firstSeconds, seenDay }, halfMax())
      }
    },
    forget: ({ userKey, publisherKey }) => byPublisher.get(publisherKey)?.forget(userKey),
  }
}

/**
 * In two halves: when the newer is full it becomes the older, and readers not seen since then are
 * dropped.
 */
class OfPublisher {
  newer = new VisitTable()
  older = new VisitTable()

  keep(userKey: string, state: VisitState, halfMax: number): void {
    if (this.newer.size >= halfMax && this.newer.find(userKey) === undefined) {
      this.older = this.newer
      this.newer = new VisitTable()
    }
    this.newer.put(userKey, state)
  }

  /** Adds what is missing, the newest first, as long as there is room. */
  restore(userKey: string, state: VisitState, halfMax: number): void {
    const known = this.newer.find(userKey) ?? this.older.find(userKey)
    if (known !== undefined) this.keep(userKey, earlier(known, state), halfMax)
    else if (this.newer.size < halfMax) this.newer.put(userKey, state)
    else if (this.older.size < halfMax) this.older.put(userKey, state)
  }

  forget(userKey: string): void {
    this.newer.forget(userKey)
    this.older.forget(userKey)
  }
}

const earlier = (a: VisitState, b: VisitState): VisitState => ({
  firstSeconds: Math.min(a.firstSeconds, b.firstSeconds),
  seenDay: Math.max(a.seenDay, b.seenDay),
})
