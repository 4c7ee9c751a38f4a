import type { Tone } from '../../ui/badge.tsx'
import type { GeoProfile } from './timeline.ts'

export type BlockState = GeoProfile['block_actions'][number]['state']

/** The session service has not confirmed it yet. */
export const isPending = ({ state }: { readonly state: BlockState }): boolean =>
  state === 'requested' || state === 'unblock_requested'

/** The outcome of a suspicious session, in words. */
export const BLOCK_STATES: Readonly<Record<BlockState, readonly [words: string, tone: Tone]>> = {
  awaiting_review: ['Waiting for review', 'warn'],
  skipped_shadow: ['Recorded only (blocking was off)', 'info'],
  requested: ['Blocking', 'info'],
  succeeded: ['Blocked', 'bad'],
  failed: ['Blocking failed', 'bad'],
  dismissed: ['Dismissed', 'neutral'],
  unblock_requested: ['Unblocking', 'info'],
  unblocked: ['Unblocked', 'good'],
  unblock_failed: ['Unblocking failed: still blocked', 'bad'],
}

const OPEN: ReadonlySet<BlockState> = new Set(['awaiting_review', 'skipped_shadow', 'failed'])
const BLOCKED: ReadonlySet<BlockState> = new Set(['succeeded', 'unblock_failed'])

type Action = Pick<GeoProfile['block_actions'][number], 'id' | 'state' | 'device_session_id'>

export type BlockDecision = 'dismiss' | 'block' | 'unblock'

/** What a person can decide about a suspicious session. A failed block is closed by a newer action. */
export function decisionsOn(action: Action, all: readonly Action[]): readonly BlockDecision[] {
  if (BLOCKED.has(action.state)) return ['unblock']
  const isReplaced = all.some(
    (other) => other.device_session_id === action.device_session_id && other.id > action.id,
  )
  return OPEN.has(action.state) && !isReplaced ? ['dismiss', 'block'] : []
}
