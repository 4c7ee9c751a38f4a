import { DAY_MS } from '@placard/calendar'
import { Type } from 'typebox'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/connect.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { NotifyDeps } from '../notices/index.ts'
import { sendDueReports } from './saved/operations-saved.ts'
import { rollUpBanners } from './cube/store-banners.ts'
import { DAY_TABLES, QUARTER_TABLES, trimSums } from './cube/store-trim.ts'

interface Deps {
  readonly db: Database
  readonly clock: Clock
}

/** An event may come a day late, so the day before yesterday is only complete now. */
const DAYS_BACK = [2, 1] as const

/**
 * Rolls up a UTC day, or the last two that are over, into `banner_stats`. A second run changes
 * nothing.
 */
export const rollUpStatsJob = defineJob({
  name: 'banner.rollup_stats',
  queue: 'reports',
  payload: Type.Object({ statDate: Type.Optional(Type.String({ format: 'date' })) }),
  retries: 5,
  backoff: { firstSeconds: 60, maxSeconds: 900 },
  timeoutSeconds: 1_800,
  concurrency: 1,
  dedupeKey: ({ statDate }, dueAt) => `banner-rollup-${statDate ?? dayBefore(dueAt, 1)}`,
  async run({ statDate }, { db, clock }: Deps, { log }) {
    const now = clock.now()
    for (const day of statDate ? [statDate] : DAYS_BACK.map((days) => dayBefore(now, days))) {
      const rows = await rollUpBanners(db, day, now)
      log.info({ day, rows }, 'banner statistics rolled up')
    }
  },
})

const dayBefore = (now: Date, days: number): string =>
  new Date(now.getTime() - days * DAY_MS).toISOString().slice(0, 10)

/** Sends saved reports that are due, every minute. */
export const sendReportsJob = defineJob({
  name: 'reports.send-due',
  payload: Type.Object({}),
  retries: 0,
  backoff: { firstSeconds: 1, maxSeconds: 1 },
  timeoutSeconds: 600,
  concurrency: 1,
  async run(_, deps: NotifyDeps, { signal }) {
    await sendDueReports(deps, signal)
  },
})

interface TrimDeps extends Deps {
  readonly statsRetentionDays: { readonly quarters: number; readonly days: number }
}

/** Deletes sums that are too old, every hour. */
export const trimStatsJob = defineJob({
  name: 'reports.trim-stats',
  payload: Type.Object({}),
  retries: 0,
  backoff: { firstSeconds: 1, maxSeconds: 1 },
  timeoutSeconds: 1_800,
  concurrency: 1,
  async run(_, { db, clock, statsRetentionDays: { quarters, days } }: TrimDeps, { signal }) {
    const ago = (count: number) => new Date(clock.now().getTime() - count * DAY_MS)
    for (const [tables, before] of [
      [QUARTER_TABLES, ago(quarters)],
      [DAY_TABLES, ago(days)],
    ] as const) {
      for (const table of tables) {
        while (!signal.aborted && (await trimSums(db, table, before)) > 0);
      }
    }
  },
})
