import { DAY_MS } from '@placard/calendar'

/** How often users may change their own declaration. */
const OWN_CHANGE_MS = 30 * DAY_MS

interface OwnDeclaration {
  readonly declaredCountry: string | null
  readonly isUnderReview: boolean
  /** When the user last changed it. */
  readonly lastOwnChangeMs: number | null
}

type OwnVerdict =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'under-review' }
  | { readonly kind: 'too-soon'; readonly untilMs: number }

/** A user may declare once at any time, later every thirty days, and never during a review. */
export function judgeOwnChange(standing: OwnDeclaration, atMs: number): OwnVerdict {
  if (standing.isUnderReview) return { kind: 'under-review' }
  if (standing.declaredCountry === null || standing.lastOwnChangeMs === null) {
    return { kind: 'allowed' }
  }
  const untilMs = standing.lastOwnChangeMs + OWN_CHANGE_MS
  return atMs < untilMs ? { kind: 'too-soon', untilMs } : { kind: 'allowed' }
}
