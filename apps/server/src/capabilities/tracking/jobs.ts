import type { Pool } from 'pg'
import { Type } from 'typebox'
import type { Clock } from '../../platform/clock.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { utcDayOf } from './intake/event.ts'
import {
  deleteForgotten,
  listEventDays,
  listForgotten,
  sweepDay,
  sweepQuarantine,
  sweepVisits,
} from './privacy/store.ts'
import {
  deleteCountsBefore,
  deleteSeenBefore,
  dropPartitions,
  makePartitions,
  PARTITIONED,
  type PartitionedTable,
} from './settlement/store-partitions.ts'

interface DayDeps {
  readonly pool: Pool
  readonly clock: Clock
  /** Days to keep per table. Links are valid for 30 days, so at least 46. */
  readonly retentionDays?: Partial<Record<PartitionedTable, number>>
}

const DAYS_AHEAD = 7
const RETENTION_DAYS = 400
const RETENTION_DAYS_MIN = 46

const CHORE = {
  payload: Type.Object({}),
  retries: 5,
  backoff: { firstSeconds: 10, maxSeconds: 300 },
  timeoutSeconds: 300,
  concurrency: 1,
}

/** Creates partitions ahead of the first event. Runs hourly. */
export const makeDaysJob = defineJob({
  ...CHORE,
  name: 'tracking.make-days',
  async run(_, { pool, clock }: DayDeps, { log }) {
    const today = utcDayOf(clock.now().getTime())
    const days = Array.from({ length: DAYS_AHEAD + 2 }, (_, i) => today - 1 + i)
    const made = await makePartitions(pool, days)
    if (made > 0) log.info({ made }, 'days of events made')
  },
})

/** Drops days beyond the operator's retention. Runs daily. */
export const dropDaysJob = defineJob({
  ...CHORE,
  name: 'tracking.drop-days',
  async run(_, { pool, clock, retentionDays = {} }: DayDeps, { log }) {
    const today = utcDayOf(clock.now().getTime())
    for (const table of PARTITIONED) {
      const kept = Math.max(RETENTION_DAYS_MIN, retentionDays[table] ?? RETENTION_DAYS)
      const dropped = await dropPartitions(pool, { table, firstDayKept: today - kept })
      if (dropped > 0) log.info({ table, dropped }, 'days of events dropped')
    }
  },
})

const HOUR_MS = 3_600_000
const SEEN_HOURS = 48
/** The window plus time for late events. */
const WINDOW_HOURS = { Hour: 26, Day: 49, Week: 8 * 24, Month: 33 * 24 } as const

/** Deletes keys and counts that no rule reads any more. Runs hourly. */
export const trimTrackingJob = defineJob({
  ...CHORE,
  name: 'tracking.trim',
  async run(_, { pool, clock }: DayDeps) {
    const nowMs = clock.now().getTime()
    await deleteSeenBefore(pool, new Date(nowMs - SEEN_HOURS * HOUR_MS))
    for (const [window, hours] of Object.entries(WINDOW_HOURS)) {
      await deleteCountsBefore(pool, { window, before: new Date(nowMs - hours * HOUR_MS) })
    }
  },
})

interface ForgetDeps extends Pick<DayDeps, 'pool' | 'clock'> {
  /** Erases users from the bodies of webhook deliveries, and returns how many that were. */
  eraseFromDeliveries(userKeys: readonly string[]): Promise<number>
}

/** Erases users who asked for it from everything that no index finds. Runs every 15 minutes. */
export const forgetUsersJob = defineJob({
  ...CHORE,
  name: 'tracking.forget-users',
  timeoutSeconds: 3_000,
  async run(_, { pool, clock, eraseFromDeliveries }: ForgetDeps, { log }) {
    const startedAt = clock.now()
    const userKeys = await listForgotten(pool)
    if (userKeys.length === 0) return
    let erased = 0
    for (const day of await listEventDays(pool))
      erased += await sweepDay(pool, { ...day, userKeys })
    erased += await sweepQuarantine(pool, userKeys)
    erased += await eraseFromDeliveries(userKeys)
    await sweepVisits(pool)
    await deleteForgotten(pool, { userKeys, askedBefore: new Date(startedAt.getTime() - HOUR_MS) })
    log.info({ users: userKeys.length, erased }, 'users forgotten')
  },
})
