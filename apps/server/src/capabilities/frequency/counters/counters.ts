import type { CapScope, FrequencyWindow } from '@placard/decision-engine'

/** What is counted per user: impressions of an ad, a campaign or an advertiser in a window. */
export interface CountedThing {
  readonly scope: CapScope
  readonly key: number
  readonly window: FrequencyWindow
}

/** One cap of one thing. */
export interface CapKey extends CountedThing {
  readonly impressionsMax: number
}

/** A provisional impression: counts from the serve on, and is given back when none comes. */
export interface Hold {
  readonly id: string
}

/** What the records say that a user has seen. */
export interface SeenRow extends CountedThing {
  readonly userKey: string
  readonly impressions: number
  /** Any instant of the window that was counted. */
  readonly atMs: number
}

/** How often one user has seen things, at the moment of the read. */
export interface UserCounts {
  /** Impressions in the window, held ones included. */
  seen(scope: CapScope, key: number, window: FrequencyWindow): number
  /**
   * Holds one impression under all these caps, or under none: undefined when one of them is full by
   * now, because a parallel request took the last place. It counts in every window until it ends.
   */
  hold(caps: readonly CapKey[], holdMs: number): Hold | undefined | Promise<Hold | undefined>
}

/**
 * Frequency counts per user. In the one api process both answers come at once; from Redis after one
 * round trip each. Windows are calendar windows in UTC: hour, day, ISO week, month; lifetime has none.
 */
export interface Counters {
  read(userKey: string): UserCounts | Promise<UserCounts>
  /** The impression came and waits to be settled: the hold lasts so long from now, if it has not ended. */
  prolong(holdIds: readonly string[], holdMs: number): void | Promise<void>
  release(holdId: string): void | Promise<void>
  /** Erases all that is known of the user, and says how many counts that were. */
  forget(userKey: string): number | Promise<number>
  /**
   * What the books say, whatever the caps do: of impressions that were settled, or from before the
   * start. Never lowers a count, so twice is as good as once. Holds whose impressions are in the counts
   * end in the same step: nobody sees an impression twice, as a hold and as a count.
   */
  restore(rows: Iterable<SeenRow>, ended?: readonly string[]): void | Promise<void>
}
