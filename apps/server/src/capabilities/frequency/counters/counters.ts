import type { CapScope, FrequencyWindow } from '@placard/decision-engine'

/** What is counted per user: impressions of an ad, a campaign or an advertiser in a window. */
export interface CountedThing {
  readonly scope: CapScope
  readonly key: number
  readonly window: FrequencyWindow
}

/** One cap on one thing. */
export interface CapKey extends CountedThing {
  readonly impressionsMax: number
}

/** A provisional impression. It counts from the decision on, until it is released or ends. */
export interface Hold {
  readonly id: string
}

/** A user's count in the database. */
export interface SeenRow extends CountedThing {
  readonly userKey: string
  readonly impressions: number
  /** Any instant inside the counted window. */
  readonly atMs: number
}

/** One user's counts, at the moment of the read. */
export interface UserCounts {
  /** Impressions in the window, holds included. */
  seen(scope: CapScope, key: number, window: FrequencyWindow): number
  /**
   * Holds one impression under all these caps or under none. Undefined if a parallel request has
   * filled one of them since the read. The hold counts in every window until it ends.
   */
  hold(caps: readonly CapKey[], holdMs: number): Hold | undefined | Promise<Hold | undefined>
}

/**
 * Frequency counts per user. With one API process both calls answer at once; with Redis each takes
 * one round trip. Windows are calendar windows in UTC: hour, day, ISO week, month. Lifetime has no
 * end.
 */
export interface Counters {
  read(userKey: string): UserCounts | Promise<UserCounts>
  /**
   * The impression arrived and waits to be settled: extends the hold by this time from now, unless
   * it has ended.
   */
  prolong(holdIds: readonly string[], holdMs: number): void | Promise<void>
  release(holdId: string): void | Promise<void>
  /** Erases everything about the user and returns the number of counts removed. */
  forget(userKey: string): number | Promise<number>
  /**
   * Restores counts from the database, after settlement or at the start. Never lowers a count, so
   * twice equals once. Ends the given holds in the same step, so that no impression counts as a
   * hold and as a settled one.
   */
  restore(rows: Iterable<SeenRow>, ended?: readonly string[]): void | Promise<void>
}
