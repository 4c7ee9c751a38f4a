import { DAY_MS } from '@placard/calendar'

/** How often people may change what they declare by themselves. */
const OWN_CHANGE_MS = 30 * DAY_MS

interface OwnStanding {
  readonly declaredCountry: string | null
  readonly isUnderReview: boolean
  /** When they last changed it by themselves. */
  readonly lastOwnChangeMs: number | null
}

type OwnVerdict =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'under-review' }
  | { readonly kind: 'too-soon'; readonly untilMs: number }

/**
 * Whether people may change their declared country by themselves: the first time always, later once in
 * thirty days, and never while the guard has asked a person to look at it.
 */
export function judgeOwnChange(standing: OwnStanding, atMs: number): OwnVerdict {
  if (standing.isUnderReview) return { kind: 'under-review' }
  if (standing.declaredCountry === null || standing.lastOwnChangeMs === null) {
    return { kind: 'allowed' }
  }
  const untilMs = standing.lastOwnChangeMs + OWN_CHANGE_MS
  return atMs < untilMs ? { kind: 'too-soon', untilMs } : { kind: 'allowed' }
}
