import type { Tone } from '../../ui/badge.tsx'
import type { GeoProfile } from './timeline.ts'

export type BlockState = GeoProfile['block_actions'][number]['state']

/** The session service has not answered yet. */
export const isOnItsWay = ({ state }: { readonly state: BlockState }): boolean =>
  state === 'requested' || state === 'unblock_requested'

/** What becomes of a session that looked wrong, in words. */
export const BLOCK_STATES: Readonly<Record<BlockState, readonly [words: string, tone: Tone]>> = {
  awaiting_review: ['Waiting for review', 'warn'],
  skipped_shadow: ['Recorded only: blocking was off', 'info'],
  requested: ['Blocking', 'info'],
  succeeded: ['Blocked', 'bad'],
  failed: ['Blocking failed', 'bad'],
  dismissed: ['Dismissed', 'neutral'],
  unblock_requested: ['Unblocking', 'info'],
  unblocked: ['Unblocked', 'good'],
  unblock_failed: ['Unblocking failed: still blocked', 'bad'],
}
