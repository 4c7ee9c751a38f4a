import { CLOCK_OVERRIDE_SETTING, PgBoss, TestClock } from 'pg-boss'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freshDatabase } from '../../../testing/services/database.ts'
import { systemRandom } from '../../random.ts'
import { idsFrom } from '../../ids.ts'
import { type JobsFleet, Name } from '../contract/kit.ts'
import { jobsContract } from '../jobs-contract.ts'
import { bindJob, defineJob, type Jobs } from '../job.ts'
import { startPgBoss } from './pg-boss.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }
const unobserved = { started: () => {}, succeeded: () => {}, failed: () => {} }

interface PgBossFleet extends JobsFleet {
  readonly url: string
  readonly time: TestClock
}

async function pgBossFleet(): Promise<PgBossFleet> {
  const { db, pool, url } = await freshDatabase()
  // The caller's own transactions read the clock of the test too.
  Object.assign(pool.options, { options: `-c ${CLOCK_OVERRIDE_SETTING}=on` })
  const time = new TestClock('2030-01-01T00:00:30Z')
  const clock = { now: () => new Date(time.now()) }
  const ids = idsFrom({ clock, random: systemRandom })
  const opened: Jobs[] = []
  onTestFinished(async () => {
    await Promise.all(opened.map((jobs) => jobs.stop()))
  })

  return {
    db,
    url,
    time,
    now: clock.now,
    pass: (seconds) => time.tick(seconds * 1_000),
    async open({ observer = unobserved, ...options }) {
      const deps = { db, url, clock, ids, time, observer, log: silent }
      const jobs = await startPgBoss({ ...deps, ...options, connectionsMax: 3 })
      opened.push(jobs)
      return jobs
    },
  }
}

jobsContract('pg-boss', pgBossFleet)

const job = defineJob({
  name: 'testing.run-it',
  payload: Name,
  retries: 1,
  backoff: { firstSeconds: 1, maxSeconds: 1 },
  timeoutSeconds: 3_600,
  concurrency: 1,
  async run({ name }, { ran }: { ran: string[] }) {
    ran.push(name)
  },
})

test('a job whose worker was killed is done by another, long before its time is over', async () => {
  const fleet = await pgBossFleet()
  const jobs = await fleet.open({ role: 'worker', jobs: [job as never] })
  await jobs.enqueue(fleet.db, job, { payload: { name: 'orphan' } })
  await takeAndDie(fleet)

  const ran: string[] = []
  await jobs.work([bindJob(job, { ran })])
  await fleet.pass(150)

  await vi.waitFor(() => expect(ran).toEqual(['orphan']))
})

/** What a killed worker leaves behind: a job that is taken and never heard of again. */
async function takeAndDie({ url, time }: PgBossFleet): Promise<void> {
  const crashed = new PgBoss({ connectionString: url, clock: time, supervise: false })
  crashed.on('error', () => {})
  await crashed.start()
  expect(await crashed.fetch(job.name)).toHaveLength(1)
  await crashed.stop({ graceful: false })
}

test('a job that is not in the list is refused, at enqueue and at work', async () => {
  const fleet = await pgBossFleet()
  const jobs = await fleet.open({ role: 'worker', jobs: [] })

  const enqueued = jobs.enqueue(fleet.db, job, { payload: { name: 'a' } })
  await expect(enqueued).rejects.toThrow('testing.run-it is not in the list of jobs')
  await expect(jobs.work([bindJob(job, { ran: [] })])).rejects.toThrow('is not in the list')
})

test('a second start with other limits changes the queue', async () => {
  const fleet = await pgBossFleet()
  await fleet.open({ role: 'enqueuer', jobs: [job as never] })
  const patient = { ...job, retries: 7 }
  const jobs = await fleet.open({ role: 'enqueuer', jobs: [patient as never] })
  await jobs.enqueue(fleet.db, patient, { payload: { name: 'a' } })

  const { rows } = await fleet.db.execute(
    "select retry_limit from pgboss.job where name = 'testing.run-it'",
  )
  expect(rows).toEqual([{ retry_limit: 7 }])
})

test('schedules that an earlier release left with pg-boss are dropped', async () => {
  const fleet = await pgBossFleet()
  await fleet.open({ role: 'enqueuer', jobs: [job as never] })
  const older = new PgBoss({ connectionString: fleet.url, clock: fleet.time, supervise: false })
  await older.start()
  onTestFinished(() => older.stop({ graceful: false }))
  await older.schedule(job.name, '* * * * *', { name: 'a' })

  await fleet.open({ role: 'worker', jobs: [job as never] })

  expect(await older.getSchedules()).toEqual([])
})
