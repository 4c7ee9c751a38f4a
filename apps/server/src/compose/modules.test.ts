import { expect, test, vi } from 'vitest'
import { accountsApi, accountsWorker } from '../capabilities/accounts/module.ts'
import { rollUpStatsJob } from '../capabilities/reports/jobs.ts'
import { reportRoutes } from '../capabilities/reports/routes.ts'
import type { ChangeSubscriber } from '../platform/changes/changes.ts'
import { bindJob } from '../platform/jobs/job.ts'
import { openJobs } from '../platform/jobs/open.ts'
import { type CapabilityModule, routeGroup } from '../platform/module.ts'
import { startModules, stoppedBy } from '../platform/modules.ts'
import { freshDatabase } from '../testing/services/database.ts'
import { scratchFolder, testBase } from '../testing/server.ts'
import type { ApiBase } from './base.ts'
import { composeApi } from './api.ts'
import { JOBS } from './jobs.ts'
import { composeServing } from './serving.ts'
import { workerModules } from './worker.ts'

const unobserved = { started: () => {}, succeeded: () => {}, failed: () => {} }

async function aProcess() {
  const connection = await freshDatabase()
  const settings = { PLACARD_HOME: await scratchFolder() }
  const { base } = await testBase(connection, { settings })
  return base
}

test('every module of a worker starts, runs each of its scheduled jobs, and stops', async () => {
  const base = await aProcess()
  await using stack = new AsyncDisposableStack()
  const jobs = await openJobs({ ...base, role: 'worker', jobs: JOBS, observer: unobserved })
  stack.defer(() => jobs.stop())
  const modules = (await workerModules(base, jobs)).map(stoppedBy(stack))
  await startModules(modules)

  const bound = modules.flatMap((module) => module.jobs ?? [])
  expect(bound.map(({ definition }) => definition.name).toSorted()).toEqual(
    JOBS.map(({ name }) => name).toSorted(),
  )
  const { signal } = new AbortController()
  for (const { run, cron } of bound) {
    if (cron !== undefined) await run({}, { signal, log: base.log, progress() {} })
  }
}, 120_000)

test('every module of an api starts and stops, with ads and without', async () => {
  const base = await aProcess()
  const serving = await composeServing(base)
  const withAds = await composeApi(base, serving)
  await vi.waitFor(async () => {
    expect((await withAds.http.inject({ url: '/health/ready' })).statusCode).toBe(200)
  }, 20_000)
  await withAds.stop()
  await serving.stop()

  const { base: plain } = await testBase({ ...base })
  const withoutAds = await composeApi(plain)
  expect((await withoutAds.http.inject({ url: '/health/live' })).statusCode).toBe(200)
  await withoutAds.stop()
}, 120_000)

/** Never called: the compiler reads it. */
export function typed(base: ApiBase): readonly unknown[] {
  const { db, clock, ...rest } = base
  const follower: ChangeSubscriber = {
    onChanges() {},
    onReload: async () => ({ xid: 0n, id: 0n }),
  }
  return [
    bindJob(rollUpStatsJob, { db, clock }),
    // @ts-expect-error a dependency of a job is dropped
    bindJob(rollUpStatsJob, { db }),
    // @ts-expect-error a dependency of a job is renamed
    bindJob(rollUpStatsJob, { database: db, clock }),
    // @ts-expect-error a dependency of a job has another type
    bindJob(rollUpStatsJob, { db, clock: Date }),
    routeGroup('', reportRoutes, base),
    // @ts-expect-error a dependency of routes is dropped
    routeGroup('', reportRoutes, { ...rest, clock }),
    // @ts-expect-error a dependency of routes is renamed
    routeGroup('', reportRoutes, { ...rest, clock, database: db }),
    // @ts-expect-error a dependency of routes has another type
    routeGroup('', reportRoutes, { ...base, clock: Date }),
    accountsWorker(base),
    // @ts-expect-error a dependency of a module is dropped
    accountsWorker({ db }),
    // @ts-expect-error a module's own dependency is missing in what every process has
    accountsApi(base),
    {
      name: 'right',
      followers: [follower],
      probes: { a: async () => true },
    } satisfies CapabilityModule,
    // @ts-expect-error a follower lacks what it does after a gap
    { name: 'wrong', followers: [{ onChanges() {} }] } satisfies CapabilityModule,
    // @ts-expect-error a probe says nothing
    { name: 'wrong', probes: { a: async () => {} } } satisfies CapabilityModule,
  ]
}
