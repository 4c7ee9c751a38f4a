import type { BlockState } from '../tables.ts'

/** Observer for metrics and the log. Has ids only where something was done to a session. */
export interface GeoObserver {
  processed(observations: number): void
  failed(how: 'retry' | 'dead', error: unknown): void
  lookupMissed(): void
  ranked(): void
  reviewed(transition: 'recommended' | 'cleared' | 'dismissed'): void
  flagged(state: BlockState): void
  blocked(
    wanted: 'requested' | 'unblock_requested',
    outcome: 'succeeded' | 'retry' | 'failed',
    whom: { readonly userId: string; readonly deviceSessionId: string },
  ): void
  synced(outcome: 'applied' | 'failed'): void
}

const nothing = () => {}

export const SILENT_OBSERVER: GeoObserver = {
  processed: nothing,
  failed: nothing,
  lookupMissed: nothing,
  ranked: nothing,
  reviewed: nothing,
  flagged: nothing,
  blocked: nothing,
  synced: nothing,
}
