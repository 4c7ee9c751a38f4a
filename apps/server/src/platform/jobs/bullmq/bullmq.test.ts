import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { freshDatabase } from '../../../testing/services/database.ts'
import { freshCluster, freshRedis } from '../../../testing/services/redis.ts'
import { manualTimers } from '../../background/manual-timers.ts'
import { systemRandom } from '../../random.ts'
import { idsFrom } from '../../ids.ts'
import { connectRedis, untilReady } from '../../redis/connect.ts'
import { systemTimers } from '../../background/timers.ts'
import { startBullMq } from './bullmq.ts'
import { dropOldSchedules, openQueues } from './queues.ts'
import { eventually, type JobsFleet, jobWith, order, workerOn } from '../contract/kit.ts'
import { jobsContract } from '../jobs-contract.ts'
import type { Jobs } from '../job.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }
const unobserved = { started: () => {}, succeeded: () => {}, failed: () => {} }

let single: string
let cluster: string
const endings: (() => Promise<void>)[] = []
beforeAll(async () => {
  ;({ url: single } = await freshRedis((end) => endings.push(end)))
  cluster = await freshCluster((end) => endings.push(end))
}, 60_000)
afterAll(async () => {
  for (const end of endings) await end()
})

interface BullMqFleet extends JobsFleet {
  readonly redis: ReturnType<typeof connectRedis>
  readonly timers: ReturnType<typeof manualTimers>
}

async function bullMqFleet(redisUrl = single): Promise<BullMqFleet> {
  const { db, url } = await freshDatabase()
  const prefix = `{test-${randomUUID()}}`
  let nowMs = Date.parse('2030-01-01T00:00:30Z')
  const clock = { now: () => new Date(nowMs) }
  // BullMQ has no clock of ours: it reads the time here.
  const time = vi.spyOn(Date, 'now').mockImplementation(() => nowMs)
  const timers = manualTimers()
  const ids = idsFrom({ clock, random: systemRandom })
  const redis = connectRedis({ url: redisUrl, onError: () => {} })
  const opened: Jobs[] = []
  onTestFinished(async () => {
    await Promise.all(opened.map((jobs) => jobs.stop()))
    redis.disconnect()
    time.mockRestore()
  })

  return {
    db,
    redis,
    timers,
    now: clock.now,
    async pass(seconds) {
      nowMs += seconds * 1_000
      timers.pass(seconds * 1_000)
      // Workers wait in Redis, whose time goes on: they are told to look.
      await redis.zadd(`${prefix}:testing:marker`, 0, '0')
    },
    async open({ observer = unobserved, ...options }) {
      const jobs = await startBullMq({
        ...options,
        redis,
        patientRedis: redis,
        prefix,
        db,
        url,
        clock,
        ids,
        random: systemRandom,
        timers,
        // Time stands still here unless it is moved.
        gatherMs: 0,
        observer,
        log: silent,
      })
      opened.push(jobs)
      return jobs
    },
  }
}

jobsContract('BullMQ', () => bullMqFleet())
jobsContract('BullMQ on a Cluster', () => bullMqFleet(cluster))

test('a Redis that came back empty gets again what has not started, also what a schedule asked for', async () => {
  const fleet = await bullMqFleet()
  const job = jobWith()
  const jobs = await fleet.open({ role: 'worker', jobs: [job] })
  await jobs.schedule(job, '* * * * *', { name: 'tick' })
  await fleet.pass(30)
  const id = await jobs.enqueue(fleet.db, job, order('kept'))
  await eventually(async () => expect(await jobs.listRuns(job, 10)).toHaveLength(2))

  await fleet.redis.flushall()
  await fleet.db.execute(`update job_orders set relay_after = now()`)

  await eventually(async () => {
    await fleet.pass(2)
    const runs = await jobs.listRuns(job, 10)
    expect(runs).toHaveLength(2)
    expect(runs.map((run) => run.id)).toContain(id)
  })
})

test('schedules that an earlier release left in Redis are dropped', async () => {
  const fleet = await bullMqFleet()
  const job = jobWith()
  const prefix = `{test-${randomUUID()}}`
  const queues = openQueues([job], { redis: fleet.redis, prefix })
  onTestFinished(() => queues.close())
  await queues.of(job).upsertJobScheduler(job.name, { pattern: '* * * * *' }, { name: job.name })

  await dropOldSchedules(queues)

  expect(await queues.of(job).getJobSchedulers()).toEqual([])
  expect(await queues.of(job).getJobCounts('delayed')).toEqual({ delayed: 0 })
})

test('every key carries the hash tag, so that a Cluster keeps a queue on one node', async () => {
  const fleet = await bullMqFleet()
  await fleet.redis.flushall()
  const { jobs, job, ran } = await workerOn(fleet)
  await jobs.schedule(job, '* * * * *', { name: 'tick' })
  await jobs.enqueue(fleet.db, job, order('a'))
  await eventually(() => expect(ran).toEqual(['a']))

  const keys = await fleet.redis.keys('*')

  expect(keys.length).toBeGreaterThan(3)
  expect(keys.filter((key) => !/^\{test-[^}]+\}:testing:/.test(key))).toEqual([])
})

test('a queue that was opened while Redis stood still works when it goes on', async () => {
  const server = await freshRedis()
  const redis = connectRedis({ url: server.url, commandTimeoutMs: 100, onError: () => {} })
  onTestFinished(() => redis.disconnect())
  await untilReady(redis, { timers: systemTimers, ms: 5_000 })
  process.kill(server.pid, 'SIGSTOP')
  const queues = openQueues([jobWith()], { redis, prefix: '{test}' })
  const [queue] = queues.byName.values()
  onTestFinished(() => queue!.close())
  queue!.on('error', () => {})
  await expect(queue!.getJobCounts()).rejects.toThrow('timed out')

  process.kill(server.pid, 'SIGCONT')

  await eventually(async () => expect(await queue!.getJobCounts()).toMatchObject({ waiting: 0 }))
})

test('stop comes to its end although Redis is away', async () => {
  const redis = await freshRedis()
  const fleet = await bullMqFleet(redis.url)
  const { jobs, job, ran } = await workerOn(fleet)
  await jobs.enqueue(fleet.db, job, order('a'))
  await eventually(() => expect(ran).toEqual(['a']))
  await redis.kill()

  let isStopped = false
  const stopped = jobs.stop().then(() => (isStopped = true))
  await eventually(() => {
    fleet.timers.pass(10_000)
    expect(isStopped).toBe(true)
  })
  await stopped
})
