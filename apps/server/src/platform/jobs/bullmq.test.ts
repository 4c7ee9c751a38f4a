import { randomUUID } from 'node:crypto'
import { beforeAll, afterAll, onTestFinished, vi } from 'vitest'
import { freshDatabase } from '../../testing/database.ts'
import { freshRedis, type TestRedis } from '../../testing/redis.ts'
import { manualTimers } from '../changes/manual-timers.ts'
import { systemChance } from '../chance.ts'
import { idsFrom } from '../ids.ts'
import { connectRedis } from '../redis/connect.ts'
import { startBullMq } from './bullmq.ts'
import type { JobsFleet } from './contract/kit.ts'
import { jobsContract } from './jobs-contract.ts'
import type { Jobs } from './job.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }
const unobserved = { started: () => {}, succeeded: () => {}, failed: () => {} }

let server: TestRedis
const endings: (() => Promise<void>)[] = []
beforeAll(async () => {
  server = await freshRedis((end) => endings.push(end))
})
afterAll(async () => {
  for (const end of endings) await end()
})

interface BullMqFleet extends JobsFleet {
  readonly redis: ReturnType<typeof connectRedis>
}

async function bullMqFleet(): Promise<BullMqFleet> {
  const { db, url } = await freshDatabase()
  const prefix = `{test-${randomUUID()}}`
  let nowMs = Date.parse('2030-01-01T00:00:30Z')
  const clock = { now: () => new Date(nowMs) }
  // BullMQ has no clock of ours: it reads the time here.
  const time = vi.spyOn(Date, 'now').mockImplementation(() => nowMs)
  const timers = manualTimers()
  const ids = idsFrom({ clock, chance: systemChance })
  const redis = connectRedis({ url: server.url, onError: () => {} })
  const opened: Jobs[] = []
  onTestFinished(async () => {
    await Promise.all(opened.map((jobs) => jobs.stop()))
    redis.disconnect()
    time.mockRestore()
  })

  return {
    db,
    redis,
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
        chance: systemChance,
        timers,
        observer,
        log: silent,
      })
      opened.push(jobs)
      return jobs
    },
  }
}

jobsContract('BullMQ', bullMqFleet)
