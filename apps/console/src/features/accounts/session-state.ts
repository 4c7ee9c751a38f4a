import type { Static } from 'typebox'
import type { DeviceSession } from '@placard/contract/accounts'
import type { Tone } from '../../ui/badge.tsx'

type Session = Pick<Static<typeof DeviceSession>, 'id' | 'revokedAt' | 'blockedAt' | 'expiresAt'>

export type SessionAction = 'revoke' | 'block' | 'unblock'

interface SessionState {
  readonly text: string
  readonly tone: Tone
  /** What its owner or the trust team can do about it. */
  readonly actions: readonly SessionAction[]
}

/** What a session list shows for a sign-in: its state, and which actions it offers. Pure. */
export function sessionState(
  { id, revokedAt, blockedAt, expiresAt }: Session,
  { nowMs, currentId }: { readonly nowMs: number; readonly currentId?: string | undefined },
): SessionState {
  if (blockedAt !== null) return { text: 'Blocked', tone: 'bad', actions: ['unblock'] }
  if (revokedAt !== null) return { text: 'Signed out', tone: 'neutral', actions: [] }
  if (Date.parse(expiresAt) < nowMs) return { text: 'Expired', tone: 'neutral', actions: [] }
  return {
    text: id === currentId ? 'This device' : 'Active',
    tone: 'good',
    actions: ['revoke', 'block'],
  }
}
