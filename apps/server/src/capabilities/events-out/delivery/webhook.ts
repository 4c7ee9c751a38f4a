/** Rules of webhooks: which addresses we may call, and when a failed call is tried again. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Pauses between attempts. The last one repeats. */
const PAUSES_MS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
] as const

/** Up to a fifth more or less, so that calls that failed together are not repeated together. */
const JITTER = 0.2

/** `attempts`: so far, at least one. `draw`: from 0 up to 1. */
export function pauseMsAfter(attempts: number, draw: number): number {
  const pause = PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1]!
  return Math.round(pause * (1 + JITTER * (2 * draw - 1)))
}

/** The result of a call. */
export type Answer =
  | { readonly status: number; readonly error?: undefined }
  | { readonly status?: undefined; readonly error: string }

export type Verdict = 'delivered' | 'retry' | 'dead'

export const isTaken = ({ status = 0 }: Answer): boolean => status >= 200 && status < 300

/** The endpoint answered that it is gone for good, as defined by Standard Webhooks. */
export const isGone = ({ status }: Answer): boolean => status === 410

export function judgeAnswer(
  answer: Answer,
  { attempts, attemptsMax }: { readonly attempts: number; readonly attemptsMax: number },
): Verdict {
  if (isTaken(answer)) return 'delivered'
  return attempts >= attemptsMax ? 'dead' : 'retry'
}

/** An endpoint that has accepted nothing for this long is switched off. */
const GIVE_UP_MS = 3 * 24 * HOUR

export const isHopeless = (failingSince: Date, now: Date): boolean =>
  now.getTime() - failingSince.getTime() >= GIVE_UP_MS
