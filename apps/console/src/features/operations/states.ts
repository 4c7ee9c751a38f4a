import type { Tone } from '../../ui/badge.tsx'

/** The status that Operations shows for connections, endpoints and servers. Pure. */
export interface Shown {
  readonly text: string
  readonly tone: Tone
}

const WORKING: Shown = { text: 'Working', tone: 'good' }
const INACTIVE: Shown = { text: 'Inactive', tone: 'neutral' }
const FAILING: Shown = { text: 'Failing', tone: 'bad' }

interface ConnectionFacts {
  readonly isActive: boolean
  readonly failingSince: string | null
  readonly restsUntil: string | null
}

/** A failure counts first. A platform's pause is no failure, and ends by itself. */
export function connectionState(
  { isActive, failingSince, restsUntil }: ConnectionFacts,
  { nowMs, sayTime }: { readonly nowMs: number; readonly sayTime: (instant: string) => string },
): Shown {
  if (failingSince !== null) return FAILING
  if (!isActive) return INACTIVE
  return restsUntil !== null && Date.parse(restsUntil) > nowMs
    ? { text: `Paused until ${sayTime(restsUntil)}`, tone: 'neutral' }
    : WORKING
}

interface EndpointFacts {
  readonly isActive: boolean
  readonly failingSince: string | null
}

/** Switched off for good is more than failing: nothing is sent until somebody activates it. */
export function endpointState({ isActive, failingSince }: EndpointFacts): Shown {
  if (!isActive) return INACTIVE
  return failingSince === null ? WORKING : FAILING
}

interface KeyFacts {
  readonly revokedAt: string | null
  readonly expiresAt: string | null
}

/** A key works until somebody revokes it or its time is over. */
export function keyState({ revokedAt, expiresAt }: KeyFacts, nowMs: number): Shown {
  if (revokedAt !== null) return { text: 'Revoked', tone: 'bad' }
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= nowMs
  return isOver ? { text: 'Expired', tone: 'warn' } : { text: 'Valid', tone: 'good' }
}
