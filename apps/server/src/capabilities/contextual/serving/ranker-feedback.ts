import { startLoop } from '../../../platform/background/loop.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import { addRankerFeedback } from './store-ranker.ts'

interface RankerFeedbackDeps {
  readonly db: Database
  readonly clock: Clock
  readonly timers: Timers
  onError(error: unknown): void
}

/** Collects feedback for 5 s and adds it in one transaction. */
const FLUSH_MS = 5_000
const BACKOFF = { firstMs: 1_000, maxMs: 60_000 }

/** Updates the scores of categories and creatives from settled events. */
export function startRankerFeedback({ db, clock, timers, onError }: RankerFeedbackDeps) {
  return startLoop({
    timers,
    onError,
    backoff: BACKOFF,
    iterate: async () => ((await addRankerFeedback(db, clock.now())) ? 0 : FLUSH_MS),
  })
}
