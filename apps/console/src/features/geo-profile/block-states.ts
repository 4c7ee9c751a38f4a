import type { Tone } from '../../ui/badge.tsx'
import type { GeoProfile } from './timeline.ts'

export type BlockState = GeoProfile['block_actions'][number]['state']

/** What becomes of a session that looked wrong, in words. */
export const BLOCK_STATES: Readonly<Record<BlockState, readonly [words: string, tone: Tone]>> = {
  awaiting_review: ['Waiting for review', 'warn'],
  skipped_shadow: ['Recorded only: blocking was off', 'info'],
  requested: ['Blocking', 'info'],
  succeeded: ['Blocked', 'bad'],
  failed: ['Blocking failed', 'bad'],
  dismissed: ['Dismissed', 'neutral'],
}
