import type { Tone } from '../../ui/badge.tsx'
import type { GeoProfile } from './timeline.ts'

export type BlockState = GeoProfile['block_actions'][number]['state']

/** What becomes of a session that looked wrong, in words. */
export const BLOCK_STATES: Readonly<Record<BlockState, readonly [words: string, tone: Tone]>> = {
  awaiting_review: ['Waits for a person', 'warn'],
  skipped_shadow: ['Only noted: blocking was off', 'info'],
  requested: ['Being blocked', 'info'],
  succeeded: ['Blocked', 'bad'],
  failed: ['Could not be blocked', 'bad'],
  dismissed: ['Dismissed', 'neutral'],
}
