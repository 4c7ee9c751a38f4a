import type { CapScope, FrequencyWindow } from '@placard/decision-engine'

/** One cap of one thing: what is counted per user. */
export interface CapKey {
  readonly scope: CapScope
  readonly key: number
  readonly window: FrequencyWindow
  readonly impressionsMax: number
}

/** A provisional impression: counts from the serve on, and is given back when none comes. */
export interface Hold {
  readonly id: string
}

/** How often one user has seen things. */
export interface UserCounts {
  /** Impressions in the window, held ones included. */
  seen(scope: CapScope, key: number, window: FrequencyWindow): number
  /**
   * Holds one impression under all these caps, or under none: undefined when one of them is full by
   * now, because a parallel request took the last place.
   */
  hold(caps: readonly CapKey[], holdMs: number): Hold | undefined | Promise<Hold | undefined>
}

/**
 * Frequency counts per user. In the one api process both answers come at once; from Redis after one
 * round trip each. Windows are calendar windows in UTC: hour, day, ISO week, month; lifetime has none.
 */
export interface Counters {
  read(userKey: string): UserCounts | Promise<UserCounts>
  /** The held impression happened. */
  confirm(holdId: string): void | Promise<void>
  release(holdId: string): void | Promise<void>
}
