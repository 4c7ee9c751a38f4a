import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { scheduleStatusAt } from './banner.ts'
import { lockDueBanners, saveScheduleStatus } from './store-schedule.ts'

const DUE_MAX = 500

/**
 * Moves banners whose dates are due, at most one page, and returns their number. Safe to repeat and
 * to run in parallel.
 */
export function moveDueBanners({ db, clock }: { db: Database; clock: Clock }): Promise<number> {
  return db.transaction(async (db) => {
    const now = clock.now()
    const due = await lockDueBanners(db, { now, limit: DUE_MAX })
    const byStatus = Map.groupBy(due, (banner) => scheduleStatusAt(banner, now))
    for (const [status, moving] of byStatus) {
      await saveScheduleStatus(db, { ids: moving.map(({ id }) => id), status, now })
    }
    return due.length
  })
}
