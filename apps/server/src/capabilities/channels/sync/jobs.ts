import { MINUTE_MS } from '@placard/calendar'
import { Type } from 'typebox'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { defineJob, type JobContext, type JobLog, type Jobs } from '../../../platform/jobs/job.ts'
import { syncLevel, type SyncDeps, type SyncResult, wordsOf } from './operations-sync.ts'
import { watch, type WatchDeps } from '../alerts/operations.ts'
import { dayOf, daysAfter, LEVELS, type ProviderName } from '../providers/stat.ts'
import { backfillSteps } from './backfill-steps.ts'
import {
  finishManualSync,
  postponeManualSync,
  startManualSync,
  trimManualSyncs,
} from './store-manual-syncs.ts'
import {
  type Backfill,
  findBackfill,
  listUnfinishedBackfills,
  recordTick,
  saveProgress,
} from './store-requests.ts'
import { listEligible, trimRaw } from './store-sync.ts'

const Day = Type.String({ format: 'date' })
const ProviderNames = Type.Array(Type.Enum(['mock', 'onsite', 'meta']))

interface SyncJobDeps extends SyncDeps {
  readonly jobs: Pick<Jobs, 'enqueue'>
}

/** Pauses after failures. After the last one it is a dead letter. */
const WAITS_SECONDS = [60, 300, 900] as const

/** The name of a sync in the log and in the queue. */
const nameOf = (order: { advertiserId: string; dateFrom: string; dateTo: string; level: string }) =>
  `sync__${order.advertiserId}__${order.dateFrom}__${order.dateTo}__${order.level}`

/** One level of one advertiser. A failure affects no other. */
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
    /** Set if a user requested the sync: the id they know it by. */
    syncId: Type.Optional(Type.String({ format: 'uuid' })),
  }),
  // The sync schedules its own retries. If a worker crashes, the next tick orders the sync again.
  retries: 0,
  backoff: { firstSeconds: 60, maxSeconds: 900 },
  timeoutSeconds: 240,
  concurrency: 5,
  dedupeKey: (order) => order.syncId ?? nameOf(order),
  async run(order, deps: SyncJobDeps, context) {
    const { clock, db } = deps
    const { syncId, attempt } = order
    const startedMs = clock.now().getTime()
    const isWanted = !syncId || (await startManualSync(db, syncId, { attempt, now: clock.now() }))
    if (!isWanted) return
    try {
      const range = { from: order.dateFrom, to: order.dateTo }
      const result = await syncLevel(deps, { ...order, ...range }, context.signal)
      await concludeSync(deps, { order, result, startedMs, log: context.log })
    } catch (error) {
      await retrySync(deps, { order, error, log: context.log })
    }
  },
})

type SyncJobOrder = Parameters<typeof syncStatsJob.run>[0]

interface Attempt {
  readonly order: SyncJobOrder
  readonly log: JobLog
}

/** The fields that every log line of a sync has. */
const logFields = (order: SyncJobOrder) => ({
  jobId: order.syncId ?? nameOf(order),
  sellerId: order.advertiserId,
  statLevel: order.level,
  date: order.dateTo,
})

/**
 * Complete, or waiting for a paused connection. A scheduled sync is ordered again by the next tick;
 * a requested one waits.
 */
async function concludeSync(
  deps: SyncJobDeps,
  { order, result, startedMs, log }: Attempt & { result: SyncResult; startedMs: number },
): Promise<void> {
  const { db, clock } = deps
  const { waitsUntil, ...counts } = result
  const now = clock.now()
  if (waitsUntil) {
    const event = 'stats-sync-waits'
    log.info({ event, ...logFields(order), ...counts, until: waitsUntil.toISOString() }, event)
    if (!order.syncId) return
    await postponeManualSync(db, order.syncId, { dueAt: waitsUntil })
    const delaySeconds = Math.max(1, Math.ceil((waitsUntil.getTime() - now.getTime()) / 1_000))
    await deps.jobs.enqueue(db, syncStatsJob, { payload: order, delaySeconds })
    return
  }
  if (order.syncId) await finishManualSync(db, order.syncId, { ...counts, now })
  const event = 'stats-sync-complete'
  log.info({ event, ...logFields(order), ...counts, durationMs: now.getTime() - startedMs }, event)
}

async function retrySync(
  deps: SyncJobDeps,
  { order, error, log }: Attempt & { readonly error: unknown },
): Promise<void> {
  const { db, clock } = deps
  const { attempt, syncId } = order
  const failure = wordsOf(error)
  const event = 'stats-sync-failed'
  log.error({ event, ...logFields(order), attempt, error: failure }, event)
  const now = clock.now()
  const delaySeconds = WAITS_SECONDS[attempt - 1]
  if (delaySeconds === undefined) {
    if (syncId) await finishManualSync(db, syncId, { failure, now })
    throw error
  }
  const dueAt = new Date(now.getTime() + delaySeconds * 1_000)
  if (syncId) await postponeManualSync(db, syncId, { dueAt, failure })
  const payload = { ...order, attempt: attempt + 1 }
  await deps.jobs.enqueue(db, syncStatsJob, { payload, delaySeconds })
}

interface TickDeps extends SyncJobDeps {
  readonly clock: Clock
}

const PAGE = 500
/** Orders that are written in parallel. */
const TRANSACTIONS = 4
/** Conversions come late, so these days are requested again once an hour. */
const DAYS_AGAIN = 3

/**
 * Every five minutes, orders a sync of today for every advertiser with something to sync, and due
 * requests.
 */
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
    for (const backfillId of await listUnfinishedBackfills(deps.db, now)) {
      await deps.jobs.enqueue(deps.db, backfillJob, { payload: { backfillId } })
    }
    await recordTick(deps.db, now)
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
    const orderPart = (part: number) =>
      db.transaction(async (db: Database) => {
        for (const { id: advertiserId } of page.filter((_, at) => at % TRANSACTIONS === part)) {
          for (const level of LEVELS) {
            const payload = { advertiserId, ...range, level, providers: [...providers], attempt: 1 }
            await jobs.enqueue(db, syncStatsJob, { payload })
          }
        }
      })
    await Promise.all(Array.from({ length: TRANSACTIONS }, (_, part) => orderPart(part)))
    advertisers += page.length
    if (page.length < PAGE) break
    after = page.at(-1)!.key
  }
  return advertisers
}

/** A tick comes within five minutes of its time, so slower providers get about every third. */
const dueProviders = ({ providers }: TickDeps, minute: number): readonly ProviderName[] =>
  (Object.keys(providers) as ProviderName[]).filter(
    (name) => minute % providers[name].everyMinutes < 5,
  )

const FAILURES_MAX = 3

/**
 * Fetches a range again, step by step. It continues where it stopped, and waits while a connection
 * is paused.
 */
export const backfillJob = defineJob({
  name: 'channels.backfill',
  queue: 'stats-sync',
  payload: Type.Object({ backfillId: Type.String({ format: 'uuid' }) }),
  // The next tick queues unfinished backfills again.
  retries: 0,
  backoff: { firstSeconds: 60, maxSeconds: 900 },
  timeoutSeconds: 3_600,
  concurrency: 1,
  dedupeKey: ({ backfillId }) => `backfill__${backfillId}`,
  async run({ backfillId }, deps: SyncDeps, context) {
    const backfill = await findBackfill(deps.db, backfillId)
    if (backfill) await fetchSteps(deps, backfill, context)
  },
})

/**
 * Each step commits before the next begins. A worker that crashes repeats one step, which changes
 * nothing.
 */
async function fetchSteps(
  deps: SyncDeps,
  { publicId, advertiserId, from, to, stepsDone, failures }: Backfill,
  { signal, progress, log }: JobContext,
): Promise<void> {
  const { db, clock } = deps
  const steps = backfillSteps(from, to)
  let done = { stepsDone, daysDone: steps[stepsDone - 1]?.daysDone ?? 0, failures }
  try {
    for (const [at, { daysDone, ...step }] of steps.entries()) {
      if (at < stepsDone) continue
      signal.throwIfAborted()
      const { waitsUntil } = await syncLevel(deps, { advertiserId, ...step }, signal)
      if (waitsUntil) {
        await saveProgress(db, publicId, {
          ...done,
          status: 'running',
          waitsUntil,
          now: clock.now(),
        })
        const event = 'stats-backfill-waits'
        log.info({ event, jobId: publicId, until: waitsUntil.toISOString() }, event)
        return
      }
      done = { stepsDone: at + 1, daysDone, failures: 0 }
      const status = done.stepsDone === steps.length ? 'succeeded' : 'running'
      await saveProgress(db, publicId, { ...done, status, now: clock.now() })
      progress({ done: done.stepsDone, total: steps.length })
    }
  } catch (error) {
    const failed = done.failures + (signal.aborted ? 0 : 1)
    const status = failed > FAILURES_MAX ? 'failed' : 'running'
    const failure = wordsOf(error)
    await saveProgress(db, publicId, {
      ...done,
      failures: failed,
      status,
      failure,
      now: clock.now(),
    })
    throw error
  }
}

/** Opens and closes alerts, every 15 minutes. */
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
  /** 0: for ever. */
  readonly rawRetentionDays: number
}

/** Deletes raw answers about old days, if a retention time is set, every hour. */
export const trimRawJob = defineJob({
  name: 'channels.trim-raw',
  payload: Type.Object({}),
  retries: 0,
  backoff: { firstSeconds: 1, maxSeconds: 1 },
  timeoutSeconds: 600,
  concurrency: 1,
  async run(_, { db, clock, rawRetentionDays }: TrimDeps, { signal }) {
    await trimManualSyncs(db, clock.now())
    if (rawRetentionDays === 0) return
    const before = daysAfter(dayOf(clock.now()), -rawRetentionDays)
    while (!signal.aborted && (await trimRaw(db, before)) > 0);
  },
})
