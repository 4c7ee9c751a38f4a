import { startLoop } from '../../../platform/background/loop.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Timers } from '../../../platform/background/timers.ts'
import { listBlockedSessions } from './reads-blocked.ts'

export interface BlockedSessions {
  /** Answers from memory: an event gets a label and never waits. */
  isBlocked(sessionId: string): boolean
  refresh(): Promise<void>
  stop(): Promise<void>
}

const LOOK_MS = 2_000
const HELD_MAX = 100_000
/** Blocks are read again for this long: a transaction may commit after one that began later. */
const OVERLAP_MS = 60_000

/** Knows the blocked sessions within two seconds. If there are too many, it keeps the newest. */
export async function keepBlockedSessions(deps: {
  readonly db: Database
  readonly timers: Timers
  onError(error: unknown): void
}): Promise<BlockedSessions> {
  const held = new Set<string>()
  let afterMs = 0
  const refresh = async () => {
    const blocked = await listBlockedSessions(deps.db, afterMs)
    for (const { id, isBlocked } of blocked) {
      if (isBlocked) held.add(id)
      else held.delete(id)
    }
    const last = blocked.at(-1)
    if (last) afterMs = Math.max(afterMs, last.atMs - OVERLAP_MS)
    for (const oldest of held) {
      if (held.size <= HELD_MAX) break
      held.delete(oldest)
    }
  }
  await refresh()
  const loop = startLoop({
    async iterate() {
      await refresh()
      return LOOK_MS
    },
    timers: deps.timers,
    backoff: { firstMs: LOOK_MS, maxMs: 30_000 },
    onError: deps.onError,
  })
  return { isBlocked: (sessionId) => held.has(sessionId), refresh, stop: () => loop.stop() }
}
