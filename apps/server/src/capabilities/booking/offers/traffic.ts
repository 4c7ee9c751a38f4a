import { DAY_MS } from '@placard/calendar'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { type PlacementTraffic, readPlacementTraffic } from '../../reports/index.ts'

export const TRAFFIC_DAYS = 28
const KEPT_MS = 10 * 60_000

/** What every placement delivered in the last 28 whole days of UTC. */
export interface Traffic {
  read(): Promise<ReadonlyMap<bigint, PlacementTraffic>>
}

/** One scan for all callers; its answer is kept for ten minutes. */
export function createTraffic({ db, clock }: { db: Database; clock: Clock }): Traffic {
  let kept: { readonly atMs: number; readonly sums: ReturnType<Traffic['read']> } | undefined
  return {
    read() {
      const nowMs = clock.now().getTime()
      if (kept && nowMs - kept.atMs < KEPT_MS) return kept.sums
      const dayBefore = (days: number) => new Date(nowMs - days * DAY_MS).toISOString().slice(0, 10)
      const period = { from: dayBefore(TRAFFIC_DAYS), to: dayBefore(1) }
      const sums = readPlacementTraffic(db, period)
      kept = { atMs: nowMs, sums }
      sums.catch(() => (kept = undefined))
      return sums
    },
  }
}
