import { DAY_MS } from '@placard/calendar'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Ids } from '../../../platform/ids.ts'
import { httpProblems } from '../../../platform/http/problems.ts'
import type { Jobs } from '../../../platform/jobs/job.ts'
import { Problem } from '../../../platform/problem.ts'
import {
  type Actor,
  createRow,
  type ResourceDeps,
  type Values,
} from '../../../platform/resources/index.ts'
import { advertiserProblems } from '../../campaigns/index.ts'
import { backfillJob, syncStatsJob } from './jobs.ts'
import { syncProblems } from '../problems.ts'
import { backfill } from '../resources.ts'
import { dayOf, LEVELS } from '../providers/stat.ts'
import {
  addManualSync,
  findLastRequest,
  findManualSync,
  replaceWaiting,
} from './store-manual-syncs.ts'
import { lockSyncingAdvertisers, type SyncingAdvertiser } from './store-requests.ts'

export interface OrderDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  /** Absent in a process without a queue. */
  readonly jobs: Jobs | undefined
}

export interface SyncQuery {
  readonly date?: string | undefined
  readonly advertiserId?: string | undefined
}

export type SyncVerdict =
  | { readonly kind: 'ordered'; readonly enqueued: number; readonly jobIds: readonly string[] }
  | { readonly kind: 'too-soon'; readonly retrySeconds: number }

const COOL_DOWN_SECONDS = 60

/**
 * Syncs an advertiser now, or all that the caller may sync: one job per level. Returns the running
 * jobs if there are any, and brings waiting retries forward.
 */
export async function orderSync(
  deps: OrderDeps,
  { requested, actor }: { readonly requested: SyncQuery; readonly actor: Actor },
): Promise<SyncVerdict> {
  const { db, clock, jobs } = deps
  if (!jobs) throw new Problem(httpProblems.unavailable, 'This process has no job queue.')
  const day = requested.date ?? dayOf(clock.now())
  if (day > dayOf(clock.now()))
    throw new Problem(syncProblems.dayToCome, `${day} is in the future.`)
  const advertisers = await lockSyncingAdvertisers(db, actor.principal, requested.advertiserId)
  if (requested.advertiserId && advertisers.length === 0) {
    throw new Problem(advertiserProblems.notFound, `advertiser ${requested.advertiserId}`)
  }
  const verdicts: SyncVerdict[] = []
  for (const advertiser of advertisers) {
    verdicts.push(await orderOne({ ...deps, jobs }, { advertiser, day }))
  }
  return together(verdicts)
}

/** Too soon only if it is too soon for every advertiser. */
function together(verdicts: readonly SyncVerdict[]): SyncVerdict {
  const ordered = verdicts.filter((verdict) => verdict.kind === 'ordered')
  const waits = verdicts.flatMap((verdict) =>
    'retrySeconds' in verdict ? verdict.retrySeconds : [],
  )
  if (ordered.length === 0 && waits.length > 0) {
    return { kind: 'too-soon', retrySeconds: Math.min(...waits) }
  }
  return {
    kind: 'ordered',
    enqueued: ordered.reduce((sum, { enqueued }) => sum + enqueued, 0),
    jobIds: ordered.flatMap(({ jobIds }) => jobIds),
  }
}

async function orderOne(
  { db, clock, ids, jobs }: OrderDeps & { readonly jobs: Jobs },
  { advertiser, day }: { readonly advertiser: SyncingAdvertiser; readonly day: string },
): Promise<SyncVerdict> {
  const now = clock.now()
  const last = await findLastRequest(db, advertiser.key, now)
  if (last && last.day === day && last.underWay.length > 0) {
    return { kind: 'ordered', enqueued: 0, jobIds: last.underWay }
  }
  const waitedSeconds = last ? (now.getTime() - last.requestedAt.getTime()) / 1_000 : Infinity
  if (waitedSeconds < COOL_DOWN_SECONDS) {
    return { kind: 'too-soon', retrySeconds: Math.ceil(COOL_DOWN_SECONDS - waitedSeconds) }
  }
  await replaceWaiting(db, advertiser.key, now)
  const range = { advertiserId: advertiser.id, dateFrom: day, dateTo: day }
  const jobIds: string[] = []
  for (const level of LEVELS) {
    const syncId = ids.next()
    await addManualSync(db, { publicId: syncId, advertiserKey: advertiser.key, level, day, now })
    await jobs.enqueue(db, syncStatsJob, { payload: { ...range, level, attempt: 1, syncId } })
    jobIds.push(syncId)
  }
  return { kind: 'ordered', enqueued: jobIds.length, jobIds }
}

const isoOf = (at: string | null): string | null => at && new Date(at).toISOString()

/** The result of a requested sync. */
export async function getManualSync(
  { db, clock }: Pick<OrderDeps, 'db' | 'clock'>,
  jobId: string,
  scope: { readonly isPlatform: boolean; readonly accountId: bigint },
) {
  const found = await findManualSync(db, jobId, { ...scope, now: clock.now() })
  if (!found) throw new Problem(syncProblems.syncNotFound, `sync ${jobId}`)
  const { nextTryAt, requestedAt, finishedAt } = found
  return {
    ...found,
    nextTryAt: isoOf(nextTryAt),
    requestedAt: new Date(requestedAt).toISOString(),
    finishedAt: isoOf(finishedAt),
  }
}

const BACKFILL_DAYS_MAX = 400

/**
 * Fetches a range again in the background. In a process without a queue, the next tick finds it.
 */
export async function createBackfill(
  deps: ResourceDeps & Pick<OrderDeps, 'jobs'>,
  { body, actor }: { readonly body: Values; readonly actor: Actor },
): Promise<Values> {
  const { from, to } = body as { readonly from: string; readonly to: string }
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (days < 1 || days > BACKFILL_DAYS_MAX || to > dayOf(deps.clock.now())) {
    throw new Problem(
      syncProblems.rangeInvalid,
      `From ${from} to ${to}: at most ${BACKFILL_DAYS_MAX} days, none of them in the future.`,
    )
  }
  const made = await createRow(deps, backfill, { body, actor })
  const payload = { backfillId: String(made.publicId) }
  await deps.jobs?.enqueue(deps.db, backfillJob, { payload })
  return made
}
