import type { Backoff } from '../../../platform/background/backoff.ts'
import { startLoop } from '../../../platform/background/loop.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import { adoptSeenUsers } from '../declared/operations-bootstrap.ts'
import { performBlocks } from '../guard/operations-blocks.ts'
import { processObservations, type ProcessDeps } from './operations-process.ts'
import type { SessionService, UserService } from '../guard/services.ts'

export interface GeoWorkerDeps extends ProcessDeps {
  readonly users: UserService
  readonly sessions: SessionService
  readonly timers: Timers
  onError(error: unknown): void
}

export interface GeoWorker {
  stop(): Promise<void>
}

const PAUSE_MS = 250
const BACKOFF: Backoff = { firstMs: 500, maxMs: 30_000 }

/** Runs again at once while a run has enough to do. */
const pausing = (iterate: () => Promise<number>, enough: number) => async () =>
  (await iterate()) >= enough ? 0 : PAUSE_MS

/** Each task has its own loop: an unavailable service delays only the tasks that need it. */
export function startGeoWorker(deps: GeoWorkerDeps): GeoWorker {
  const { timers, onError } = deps
  const loops = [
    pausing(() => processObservations(deps), deps.batchMax),
    pausing(() => performBlocks(deps), 1),
    pausing(() => adoptSeenUsers(deps), 1),
  ].map((iterate) => startLoop({ iterate, timers, onError, backoff: BACKOFF }))
  return {
    async stop() {
      await Promise.all(loops.map((iterate) => iterate.stop()))
    },
  }
}
