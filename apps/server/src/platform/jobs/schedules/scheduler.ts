import { CronExpressionParser } from 'cron-parser'
import { startLoop, type Loop } from '../../background/loop.ts'
import type { Timers } from '../../background/timers.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import type { JobDefinition } from '../job.ts'
import { deleteSchedule, saveSchedule, takeDueTime } from './store-schedules.ts'

export interface Schedule {
  readonly job: JobDefinition
  readonly cron: string
  readonly payload: object
}

export interface SchedulerOptions {
  readonly db: Database
  readonly clock: Clock
  readonly timers: Timers
  /** Part of the transaction that takes the due time. */
  order(db: Database, due: { schedule: Schedule; dueAt: Date }): Promise<unknown>
  onError(error: unknown): void
}

export interface Scheduler {
  keep(schedule: Schedule): Promise<void>
  drop(job: JobDefinition): Promise<void>
  stop(): Promise<void>
}

interface Kept extends Schedule {
  readonly lastDueAt: Date
}

/** A timer of Node holds 24 days; a clock that is set anew is noticed within this time. */
const LOOK_MS_MAX = 60 * 60_000
const BACKOFF = { firstMs: 200, maxMs: 5_000 }

/**
 * Orders runs at the minute they are due. Every worker does: the row of a schedule lets one of them order a
 * minute. Of minutes that passed while no worker ran the last one is ordered.
 */
export function startScheduler({ db, clock, timers, order, onError }: SchedulerOptions): Scheduler {
  const kept = new Map<string, Kept>()

  const orderDue = async (schedule: Kept, now: Date): Promise<void> => {
    const dueAt = lastTime(schedule.cron, now)
    if (dueAt <= schedule.lastDueAt) return
    const { job, cron } = schedule
    await db.transaction(async (db) => {
      if (await takeDueTime(db, { job: job.name, cron, dueAt }))
        await order(db, { schedule, dueAt })
    })
    if (kept.get(job.name) === schedule) kept.set(job.name, { ...schedule, lastDueAt: dueAt })
  }
  const iterate = async (): Promise<number> => {
    // One moment for both questions: a minute that begins meanwhile is the next one.
    const now = clock.now()
    const schedules = [...kept.values()]
    const orders = await Promise.allSettled(schedules.map((schedule) => orderDue(schedule, now)))
    const failed = orders.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    const next = Math.min(...schedules.map(({ cron }) => nextTime(cron, now).getTime()))
    return Math.max(0, Math.min(LOOK_MS_MAX, next - clock.now().getTime()))
  }
  let loop: Loop | undefined

  return {
    async keep(schedule) {
      const { job, cron, payload } = schedule
      const lastDueAt = await saveSchedule(db, { job: job.name, cron, payload }, clock.now())
      kept.set(job.name, { ...schedule, lastDueAt })
      loop ??= startLoop({ iterate, timers, backoff: BACKOFF, onError })
      loop.wake()
    },
    async drop(job) {
      kept.delete(job.name)
      await deleteSchedule(db, job.name)
    },
    async stop() {
      await loop?.stop()
    },
  }
}

const timesFrom = (cron: string, currentDate: Date) =>
  CronExpressionParser.parse(cron, { tz: 'UTC', currentDate })

const nextTime = (cron: string, now: Date): Date => timesFrom(cron, now).next().toDate()

/** At `now` or before it. */
const lastTime = (cron: string, now: Date): Date =>
  timesFrom(cron, new Date(now.getTime() + 1))
    .prev()
    .toDate()
