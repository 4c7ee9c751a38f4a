import { DAY_SECONDS } from '@placard/calendar'

/** One publisher's reader. */
export interface Visitor {
  readonly userKey: string
  /** The publisher's account. */
  readonly publisherKey: number
}

/** What is kept of a reader's visits: when the first was, and the UTC day of a late one. */
export interface VisitState {
  readonly firstSeconds: number
  /** At most `NOTED_EVERY_DAYS` before the last visit, counted from 1970. */
  readonly seenDay: number
}

/** As stored in the database. */
export interface VisitRow extends Visitor, VisitState {}

/**
 * Since when a publisher knows its readers. In one process the answer comes at once, from Redis
 * after one round trip.
 */
export interface Visits {
  /**
   * When the reader came first; for a newcomer now, who is remembered unless the request is dry.
   * Undefined if nobody can say.
   */
  see(visitor: Visitor, isDry: boolean): MaybePromise<number | undefined>
  /** Remembers what the database says. Never makes a first visit later. */
  restore(rows: Iterable<VisitRow>): MaybePromise<void>
  forget(visitor: Visitor): MaybePromise<void>
}

type MaybePromise<Value> = Value | Promise<Value>

/** A reader who stays away longer is forgotten, and comes back as a newcomer. */
export const REMEMBERED_DAYS = 60
/** The database hears of a reader again after so many days. */
export const NOTED_EVERY_DAYS = 7

export const dayOf = (seconds: number): number => Math.floor(seconds / DAY_SECONDS)

/** The state after a visit: the same object if nothing has to be noted. */
export function visited(known: VisitState | undefined, nowSeconds: number): VisitState {
  const today = dayOf(nowSeconds)
  if (known === undefined || today - known.seenDay > REMEMBERED_DAYS) {
    return { firstSeconds: nowSeconds, seenDay: today }
  }
  const { firstSeconds, seenDay } = known
  return today - seenDay >= NOTED_EVERY_DAYS ? { firstSeconds, seenDay: today } : known
}
