/** Why an event counts as real or not. All are counted, by label; only `valid` is billed. */
export type Label =
  | 'valid'
  | 'bot'
  | 'no-user-agent'
  | 'data-centre'
  | 'blocked-session'
  | 'burst'
  | 'duplicate'
  | 'no-impression'
  | 'too-fast'
  | 'expired'
  | 'unmatched'

/** What a request shows about who sent it. */
export interface SenderFacts {
  readonly userAgent: string | undefined
  readonly isKnownBot: boolean
  readonly isDataCentre: boolean
  readonly isBlockedSession: boolean
  readonly isBurst: boolean
}

export function judgeSender(facts: SenderFacts): Label {
  if (!facts.userAgent?.trim()) return 'no-user-agent'
  if (facts.isKnownBot) return 'bot'
  if (facts.isDataCentre) return 'data-centre'
  if (facts.isBlockedSession) return 'blocked-session'
  if (facts.isBurst) return 'burst'
  return 'valid'
}

const CLICK_MS_MIN = 100

/** A person sees an ad before clicking on it, and needs a moment. */
export function judgeClick(clickAtMs: number, impressionAtMs: number | undefined): Label {
  if (impressionAtMs === undefined) return 'no-impression'
  return clickAtMs - impressionAtMs < CLICK_MS_MIN ? 'too-fast' : 'valid'
}

/**
 * Whether a click without an impression may have overtaken it: something that was noted before it is
 * not settled. A click in no note has just come: all that is noted was there before.
 */
export function isEarly(noteId: number | undefined, oldestNoteId: number | undefined): boolean {
  if (oldestNoteId === undefined) return false
  return noteId === undefined || oldestNoteId < noteId
}

export interface BucketSize {
  readonly perSecond: number
  readonly burst: number
}

export interface Bucket {
  readonly tokens: number
  readonly atMs: number
}

/** Takes one token if there is one; the bucket fills again with time, up to its size. */
export function takeToken(
  bucket: Bucket | undefined,
  size: BucketSize,
  nowMs: number,
): { readonly bucket: Bucket; readonly isTaken: boolean } {
  const { tokens, atMs } = bucket ?? { tokens: size.burst, atMs: nowMs }
  const refill = (Math.max(0, nowMs - atMs) / 1_000) * size.perSecond
  const there = Math.min(size.burst, tokens + refill)
  const isTaken = there >= 1
  return { bucket: { tokens: isTaken ? there - 1 : there, atMs: nowMs }, isTaken }
}
