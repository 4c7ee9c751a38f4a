import { Queue, Worker } from 'bullmq'
import { sql } from 'drizzle-orm'
import { fromDrizzle, PgBoss } from 'pg-boss'
import { Type } from 'typebox'
import { systemRandom } from '../../apps/server/src/platform/random.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import type { Database } from '../../apps/server/src/platform/database/connect.ts'
import { idsFrom } from '../../apps/server/src/platform/ids.ts'
import { startBullMq } from '../../apps/server/src/platform/jobs/bullmq/bullmq.ts'
import { bindJob, defineJob, type Jobs } from '../../apps/server/src/platform/jobs/job.ts'
import { startPgBoss } from '../../apps/server/src/platform/jobs/pg-boss/pg-boss.ts'
import { connectRedis } from '../../apps/server/src/platform/redis/connect.ts'
import { median, rounded, say } from '../scratch.ts'
import { type Market, openMarket, startRedis } from './fleet.ts'

const CONCURRENCY = 10
const CALLERS = 10
const WARM_UP_JOBS = 300

const job = defineJob({
  name: 'bench.do-nothing',
  payload: Type.Object({ n: Type.Integer() }),
  retries: 0,
  backoff: { firstSeconds: 1, maxSeconds: 1 },
  timeoutSeconds: 60,
  concurrency: CONCURRENCY,
  async run(_, { done }: { done: () => void }) {
    done()
  },
})

/** A job queue with its worker. */
interface Runner {
  enqueue(n: number): Promise<unknown>
  done: () => void
}

/** Runs jobs through the port and through the bare library, alternating. */
export async function measureJobs({ jobs, rounds }: { jobs: number; rounds: number }) {
  say(`${jobs} jobs through each queue`)
  await using stack = new AsyncDisposableStack()
  const market = await openMarket(1, stack)
  const { db } = market.database
  await db.execute(sql`create table bare_orders (id int primary key, payload jsonb not null)`)
  const redis = await startRedis(stack)
  const runners = {
    pgBoss: await throughPort(await openPgBoss(market, stack), db),
    pgBossBare: await barePgBoss(market, stack),
    bullMq: await throughPort(await openBullMq(market, redis.url, stack), db),
    bullMqBare: await bareBullMq(db, redis.url, stack),
  }
  const spent = new Map<string, { perSecond: number; cpuMicros: number }[]>()
  for (const runner of Object.values(runners)) await oneRound(runner, WARM_UP_JOBS)
  for (let round = 0; round < rounds; round++) {
    for (const [name, runner] of Object.entries(runners)) {
      const measured = await oneRound(runner, jobs / rounds)
      const cpu = `${Math.round(measured.cpuMicros)} µs each`
      say(`jobs, ${round + 1} of ${rounds}: ${name} ${Math.round(measured.perSecond)}/s, ${cpu}`)
      spent.set(name, [...(spent.get(name) ?? []), measured])
    }
  }
  const of = (name: keyof typeof runners, field: 'perSecond' | 'cpuMicros') =>
    median(spent.get(name)!.map((round) => round[field]))
  // Compares consecutive rounds, because machines drift.
  const costOf = (port: keyof typeof runners, bare: keyof typeof runners) => {
    const ratios = spent
      .get(port)!
      .map(({ cpuMicros }, round) => cpuMicros / spent.get(bare)![round]!.cpuMicros)
    return rounded(median(ratios) - 1, 3)
  }
  const names = Object.keys(runners) as (keyof typeof runners)[]
  return {
    jobsPerSecond: Object.fromEntries(
      names.map((name) => [name, Math.round(of(name, 'perSecond'))]),
    ),
    jobCpuMicros: Object.fromEntries(
      names.map((name) => [name, Math.round(of(name, 'cpuMicros'))]),
    ),
    portCost: {
      pgBoss: costOf('pgBoss', 'pgBossBare'),
      bullMq: costOf('bullMq', 'bullMqBare'),
    },
  }
}

async function oneRound(runner: Runner, jobs: number) {
  const { promise, resolve } = Promise.withResolvers<void>()
  let left = jobs
  runner.done = () => {
    if (--left === 0) resolve()
  }
  const cpu = process.cpuUsage()
  const startedMs = performance.now()
  let next = 0
  const call = async () => {
    while (next < jobs) await runner.enqueue(next++)
  }
  await Promise.all(Array.from({ length: CALLERS }, call))
  await promise
  const { user, system } = process.cpuUsage(cpu)
  return {
    perSecond: (jobs / (performance.now() - startedMs)) * 1_000,
    cpuMicros: (user + system) / jobs,
  }
}

const clock = systemClock()
const deps = {
  clock,
  ids: idsFrom({ clock, random: systemRandom }),
  observer: { started: () => {}, succeeded: () => {}, failed: () => {} },
  log: { info: () => {}, warn: () => {}, error: () => {} },
  role: 'worker' as const,
  jobs: [job],
}

async function throughPort(jobs: Jobs, db: Database): Promise<Runner> {
  const runner: Runner = {
    done: () => {},
    enqueue: (n) => jobs.enqueue(db, job, { payload: { n } }),
  }
  await jobs.work([bindJob(job, { done: () => runner.done() })])
  return runner
}

async function openPgBoss(
  { url, database: { db } }: Market,
  stack: AsyncDisposableStack,
): Promise<Jobs> {
  const jobs = await startPgBoss({ ...deps, db, url })
  stack.defer(() => jobs.stop())
  return jobs
}

async function openBullMq(
  { url, database }: Market,
  redisUrl: string,
  stack: AsyncDisposableStack,
) {
  const connection = () => connectRedis({ url: redisUrl, onError: () => {} })
  const [redis, patientRedis] = [connection(), connection()]
  const { db } = database
  const jobs = await startBullMq({ ...deps, random: systemRandom, redis, patientRedis, db, url })
  stack.defer(async () => {
    await jobs.stop()
    redis.disconnect()
    patientRedis.disconnect()
  })
  return jobs
}

/** The same features of the library, used directly: one waiting run per key, dead letters, heartbeats. */
async function barePgBoss({ url, database }: Market, stack: AsyncDisposableStack) {
  const boss = new PgBoss({ connectionString: url, schema: 'bare', useListenNotify: true, max: 6 })
  boss.on('error', () => {})
  await boss.start()
  stack.defer(() => boss.stop({ graceful: false }))
  await boss.createQueue('dead')
  await boss.createQueue('bare', {
    notify: true,
    policy: 'short',
    deadLetter: 'dead',
    retryLimit: job.retries,
    expireInSeconds: job.timeoutSeconds,
    heartbeatSeconds: 30,
  })
  const db = fromDrizzle(database.db, sql)
  const runner: Runner = {
    done: () => {},
    enqueue: (n) => boss.send('bare', { n }, { db, singletonKey: String(n) }),
  }
  const settings = { perJobResults: true, pollingIntervalSeconds: 2 } as const
  for (let worker = 0; worker < CONCURRENCY; worker++) {
    const id: string = await boss.work('bare', settings, async ([attempt]) => {
      runner.done()
      boss.notifyWorker(id)
      return [{ id: attempt!.id, status: 'completed' }]
    })
  }
  return runner
}

/** The minimum to commit a job with its cause: a row that is moved to the queue and deleted. */
async function bareBullMq(db: Database, redisUrl: string, stack: AsyncDisposableStack) {
  const connection = connectRedis({ url: redisUrl, onError: () => {} })
  stack.defer(() => connection.disconnect())
  const queue = new Queue('bare', { connection, prefix: '{bare}' })
  const runner: Runner = {
    done: () => {},
    async enqueue(n) {
      const payload = JSON.stringify({ n })
      await db.execute(sql`insert into bare_orders values (${n}, ${payload}::jsonb)`)
      await queue.add('bare', { n }, { removeOnComplete: true })
    },
  }
  const run = async ({ data }: { data: { n: number } }) => {
    await db.execute(sql`delete from bare_orders where id = ${data.n}`)
    runner.done()
  }
  const worker = new Worker('bare', run, { connection, prefix: '{bare}', concurrency: CONCURRENCY })
  stack.defer(async () => {
    await worker.close()
    await queue.close()
  })
  return runner
}
