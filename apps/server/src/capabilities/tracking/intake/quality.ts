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

/** What the checks found out about a request. */
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

/** A click needs an impression at least 100 ms before it. */
export function judgeClick(clickAtMs: number, impressionAtMs: number | undefined): Label {
  if (impressionAtMs === undefined) return 'no-impression'
  return clickAtMs - impressionAtMs < CLICK_MS_MIN ? 'too-fast' : 'valid'
}

/**
 * A click without an impression is early while an older staged batch exists, because its impression
 * may be in there. A click that is not staged itself is newer than all staged batches.
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

/** Takes one token if there is one. The bucket refills over time, up to its size. */
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
