import { startLoop } from '../../../platform/background/loop.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import { teachSettled } from './store-ranker.ts'

interface TeacherDeps {
  readonly db: Database
  readonly clock: Clock
  readonly timers: Timers
  onError(error: unknown): void
}

/** Feedback is gathered for so long, then added at once. */
const FLUSH_MS = 5_000
const BACKOFF = { firstMs: 1_000, maxMs: 60_000 }

/** Lets categories and creatives learn from what happened. */
export function startTeaching({ db, clock, timers, onError }: TeacherDeps) {
  return startLoop({
    timers,
    onError,
    backoff: BACKOFF,
    turn: async () => ((await teachSettled(db, clock.now())) ? 0 : FLUSH_MS),
  })
}
