import { DAY_MS } from '@placard/calendar'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
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
  findManualSync,
  listOwnAdvertisers,
  saveManualSync,
  type SyncingAdvertiser,
} from './store-requests.ts'

export interface OrderDeps {
  readonly db: Database
  readonly clock: Clock
  /** Absent in a process that has no queue. */
  readonly jobs: Jobs | undefined
}

export interface SyncAsked {
  readonly date?: string | undefined
  readonly advertiserId?: string | undefined
}

export type SyncVerdict =
  | { readonly kind: 'ordered'; readonly enqueued: number; readonly jobIds: readonly string[] }
  | { readonly kind: 'too-soon'; readonly retrySeconds: number }

const COOL_DOWN_SECONDS = 60

/** Syncs the caller's own advertisers now: three jobs each, or the ones that are still under way. */
export async function orderSync(
  deps: OrderDeps,
  { asked, actor }: { readonly asked: SyncAsked; readonly actor: Actor },
): Promise<SyncVerdict> {
  const { db, clock, jobs } = deps
  if (!jobs) throw new Problem(httpProblems.unavailable, 'This process has no queue of jobs.')
  const day = asked.date ?? dayOf(clock.now())
  if (day > dayOf(clock.now()))
    throw new Problem(syncProblems.dayToCome, `${day} is still to come.`)
  const advertisers = await listOwnAdvertisers(db, actor.principal, asked.advertiserId)
  if (asked.advertiserId && advertisers.length === 0) {
    throw new Problem(advertiserProblems.notFound, `advertiser ${asked.advertiserId}`)
  }
  let enqueued = 0
  const jobIds: string[] = []
  for (const advertiser of advertisers) {
    const verdict = await orderOne({ ...deps, jobs }, { advertiser, day })
    if (verdict.kind === 'too-soon') return verdict
    enqueued += verdict.enqueued
    jobIds.push(...verdict.jobIds)
  }
  return { kind: 'ordered', enqueued, jobIds }
}

async function orderOne(
  { db, clock, jobs }: OrderDeps & { readonly jobs: Jobs },
  { advertiser, day }: { readonly advertiser: SyncingAdvertiser; readonly day: string },
): Promise<SyncVerdict> {
  const now = clock.now()
  const last = await findManualSync(db, advertiser.key)
  if (last && last.day === day && (await isUnderWay(jobs, last.jobIds))) {
    return { kind: 'ordered', enqueued: 0, jobIds: last.jobIds }
  }
  const waitedSeconds = last ? (now.getTime() - last.requestedAt.getTime()) / 1_000 : Infinity
  if (waitedSeconds < COOL_DOWN_SECONDS) {
    return { kind: 'too-soon', retrySeconds: Math.ceil(COOL_DOWN_SECONDS - waitedSeconds) }
  }
  const range = { advertiserId: advertiser.id, dateFrom: day, dateTo: day }
  const ids: (string | undefined)[] = []
  for (const level of LEVELS) {
    const payload = { ...range, level, attempt: 1, isManual: true }
    ids.push(await jobs.enqueue(db, syncStatsJob, { payload }))
  }
  const jobIds = ids.filter((id) => id !== undefined)
  await saveManualSync(db, advertiser.key, { requestedAt: now, day, jobIds })
  return { kind: 'ordered', enqueued: jobIds.length, jobIds }
}

async function isUnderWay(jobs: Jobs, ids: readonly string[]): Promise<boolean> {
  const runs = await Promise.all(ids.map((id) => jobs.find(syncStatsJob, id)))
  return runs.some((run) => run?.state === 'waiting' || run?.state === 'running')
}

const BACKFILL_DAYS_MAX = 400

/** A range fetched again in the background; without a queue here, the next tick finds it. */
export async function createBackfill(
  deps: ResourceDeps & Pick<OrderDeps, 'jobs'>,
  { body, actor }: { readonly body: Values; readonly actor: Actor },
): Promise<Values> {
  const { from, to } = body as { readonly from: string; readonly to: string }
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (days < 1 || days > BACKFILL_DAYS_MAX || to > dayOf(deps.clock.now())) {
    throw new Problem(
      syncProblems.rangeInvalid,
      `From ${from} to ${to}: at most ${BACKFILL_DAYS_MAX} days, none of them to come.`,
    )
  }
  const made = await createRow(deps, backfill, { body, actor })
  const payload = { backfillId: String(made.publicId) }
  await deps.jobs?.enqueue(deps.db, backfillJob, { payload })
  return made
}
