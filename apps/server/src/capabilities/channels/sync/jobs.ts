import { DAY_MS, MINUTE_MS } from '@placard/calendar'
import { Type } from 'typebox'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { defineJob, type Jobs } from '../../../platform/jobs/job.ts'
import { syncLevel, type SyncDeps, wordsOf } from './operations-sync.ts'
import { watch, type WatchDeps } from '../alerts/operations.ts'
import { dayOf, daysAfter, LEVELS, type ProviderName } from '../providers/stat.ts'
import { findBackfill, listUnfinishedBackfills, noteTick, saveProgress } from './store-requests.ts'
import { listEligible, trimRaw } from './store-sync.ts'

const Day = Type.String({ format: 'date' })
const ProviderNames = Type.Array(Type.Enum(['mock', 'onsite', 'meta']))

interface SyncJobDeps extends SyncDeps {
  readonly jobs: Pick<Jobs, 'enqueue'>
}

/** How long after each failure it is tried again; after the last one it is a dead letter. */
const WAITS_SECONDS = [60, 300, 900] as const

/** Names a sync in the log and in the queue. */
const nameOf = (order: { advertiserId: string; dateFrom: string; dateTo: string; level: string }) =>
  `sync__${order.advertiserId}__${order.dateFrom}__${order.dateTo}__${order.level}`

/** One level of one advertiser: whatever fails, fails for it alone. */
export const syncStatsJob = defineJob({
  name: 'channels.sync-stats',
  queue: 'stats-sync',
  payload: Type.Object({
    advertiserId: Type.String({ format: 'uuid' }),
    dateFrom: Day,
    dateTo: Day,
    level: Type.Enum([...LEVELS]),
    providers: Type.Optional(ProviderNames),
    attempt: Type.Integer({ minimum: 1, maximum: 4 }),
    /** Asked for by a person, who is told its id: it is never another's twin. */
    isManual: Type.Optional(Type.Boolean()),
  }),
  // The waits between tries are its own; a worker that dies is made up for by the next tick.
  retries: 0,
  backoff: { firstSeconds: 60, maxSeconds: 900 },
  timeoutSeconds: 240,
  concurrency: 5,
  dedupeKey: (order) => `${nameOf(order)}${order.isManual ? '__manual' : ''}`,
  async run(order, deps: SyncJobDeps, { log, signal }) {
    const { advertiserId, dateFrom, dateTo, level, providers, attempt } = order
    const told = { jobId: nameOf(order), sellerId: advertiserId, statLevel: level, date: dateTo }
    const startedMs = deps.clock.now().getTime()
    try {
      const range = { from: dateFrom, to: dateTo }
      const counts = await syncLevel(deps, { advertiserId, level, providers, ...range }, signal)
      const durationMs = deps.clock.now().getTime() - startedMs
      const event = 'stats-sync-complete'
      log.info({ event, ...told, ...counts, durationMs }, event)
    } catch (error) {
      log.error(
        { event: 'stats-sync-failed', ...told, attempt, error: wordsOf(error) },
        'stats-sync-failed',
      )
      const delaySeconds = WAITS_SECONDS[attempt - 1]
      if (delaySeconds === undefined) throw error
      const payload = { ...order, attempt: attempt + 1 }
      await deps.jobs.enqueue(deps.db, syncStatsJob, { payload, delaySeconds })
    }
  },
})

interface TickDeps extends SyncJobDeps {
  readonly clock: Clock
}

const PAGE = 500
/** Orders that are written side by side. */
const LANES = 4
/** Conversions come late: once an hour these days are asked for again. */
const DAYS_AGAIN = 3

/** Every five minutes: a sync of today for whoever has something to sync, and what somebody waits for. */
export const tickJob = defineJob({
  name: 'channels.tick',
  payload: Type.Object({}),
  retries: 0,
  backoff: { firstSeconds: 1, maxSeconds: 1 },
  timeoutSeconds: 280,
  concurrency: 1,
  async run(_, deps: TickDeps, { log, signal }) {
    const now = deps.clock.now()
    const minute = Math.floor(now.getTime() / MINUTE_MS)
    const dateTo = dayOf(now)
    const dateFrom = minute % 60 < 5 ? daysAfter(dateTo, -DAYS_AGAIN) : dateTo
    const advertisers = await orderSyncs(deps, { dateFrom, dateTo, minute, signal })
    for (const backfillId of await listUnfinishedBackfills(deps.db)) {
      await deps.jobs.enqueue(deps.db, backfillJob, { payload: { backfillId } })
    }
    await noteTick(deps.db, now)
    log.info({ event: 'stats-sync-tick', advertisers, dateFrom, dateTo }, 'stats-sync-tick')
  },
})

interface Round {
  readonly dateFrom: string
  readonly dateTo: string
  readonly minute: number
  readonly signal: AbortSignal
}

async function orderSyncs(deps: TickDeps, { minute, signal, ...range }: Round): Promise<number> {
  const { db, clock, jobs } = deps
  const providers = dueProviders(deps, minute)
  let advertisers = 0
  for (let after = '0'; !signal.aborted;) {
    const page = await listEligible(db, {
      providers,
      from: range.dateFrom,
      now: clock.now(),
      after,
      limit: PAGE,
    })
    const orderLane = (lane: number) =>
      db.transaction(async (db: Database) => {
        for (const { id: advertiserId } of page.filter((_, at) => at % LANES === lane)) {
          for (const level of LEVELS) {
            const payload = { advertiserId, ...range, level, providers: [...providers], attempt: 1 }
            await jobs.enqueue(db, syncStatsJob, { payload })
          }
        }
      })
    await Promise.all(Array.from({ length: LANES }, (_, lane) => orderLane(lane)))
    advertisers += page.length
    if (page.length < PAGE) break
    after = page.at(-1)!.key
  }
  return advertisers
}

/** A tick comes within five minutes of its time: slower providers get every third, or so. */
const dueProviders = ({ providers }: TickDeps, minute: number): readonly ProviderName[] =>
  (Object.keys(providers) as ProviderName[]).filter(
    (name) => minute % providers[name].everyMinutes < 5,
  )

const FAILURES_MAX = 3

/** Fetches every day of a range again, a day at a time; goes on where it was when it starts anew. */
export const backfillJob = defineJob({
  name: 'channels.backfill',
  queue: 'stats-sync',
  payload: Type.Object({ backfillId: Type.String({ format: 'uuid' }) }),
  // What is unfinished is ordered again by the next tick.
  retries: 0,
  backoff: { firstSeconds: 60, maxSeconds: 900 },
  timeoutSeconds: 3_600,
  concurrency: 1,
  dedupeKey: ({ backfillId }) => `backfill__${backfillId}`,
  async run({ backfillId }, deps: SyncDeps, { signal, progress }) {
    const { db, clock } = deps
    const backfill = await findBackfill(db, backfillId)
    if (!backfill) return
    const { advertiserId, from, to } = backfill
    let { failures } = backfill
    const total = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
    let daysDone = backfill.daysDone
    try {
      for (; daysDone < total; daysDone++) {
        signal.throwIfAborted()
        const day = daysAfter(from, daysDone)
        for (const level of LEVELS) {
          await syncLevel(deps, { advertiserId, level, from: day, to: day }, signal)
        }
        const status = daysDone + 1 === total ? 'succeeded' : 'running'
        await saveProgress(db, backfillId, { status, daysDone: daysDone + 1, now: clock.now() })
        progress({ done: daysDone + 1, total })
        failures = 0
      }
    } catch (error) {
      if (!signal.aborted) failures += 1
      const status = failures > FAILURES_MAX ? 'failed' : 'running'
      const failed = {
        status,
        daysDone,
        failures,
        failure: wordsOf(error),
        now: clock.now(),
      } as const
      await saveProgress(db, backfillId, failed)
      throw error
    }
  },
})

/** Opens and closes alerts. To be run every quarter of an hour. */
export const watchJob = defineJob({
  name: 'channels.watch',
  payload: Type.Object({}),
  retries: 0,
  backoff: { firstSeconds: 1, maxSeconds: 1 },
  timeoutSeconds: 600,
  concurrency: 1,
  run: (_, deps: WatchDeps, { signal }) => watch(deps, signal),
})

interface TrimDeps {
  readonly db: Database
  readonly clock: Clock
  /** 0: for good. */
  readonly rawRetentionDays: number
}

/** Forgets what providers told of days long past, where the settings say so. To be run every hour. */
export const trimRawJob = defineJob({
  name: 'channels.trim-raw',
  payload: Type.Object({}),
  retries: 0,
  backoff: { firstSeconds: 1, maxSeconds: 1 },
  timeoutSeconds: 600,
  concurrency: 1,
  async run(_, { db, clock, rawRetentionDays }: TrimDeps, { signal }) {
    if (rawRetentionDays === 0) return
    const before = daysAfter(dayOf(clock.now()), -rawRetentionDays)
    while (!signal.aborted && (await trimRaw(db, before)) > 0);
  },
})
