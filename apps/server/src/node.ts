import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Pool } from 'pg'
import { destination, pino, type Logger } from 'pino'
import { describeIndex } from './capabilities/decisions/index.ts'
import { GATHERED_COMMANDS } from './capabilities/frequency/index.ts'
import { composeApi } from './compose/api.ts'
import { composeDemo, demoWelcome, runDemoHistory, startDemoTraffic } from './compose/demo.ts'
import { type ApiBase, apiBaseOf, baseOf, type PlacardBase } from './compose/base.ts'
import { JOBS } from './compose/jobs.ts'
import { composeServing, type Serving } from './compose/serving.ts'
import { composeWorker } from './compose/worker.ts'
import { openJobs } from './platform/jobs/open.ts'
import { type Config, givenSettings } from './settings/config.ts'
import { isDemoInReach } from './settings/config-faults.ts'
import { systemRandom } from './platform/random.ts'
import { systemClock, systemUptime } from './platform/clock.ts'
import { isTransient } from './platform/database/failure.ts'
import { migrate, MIGRATIONS, readMigrations } from './platform/database/migrate.ts'
import { claimApi } from './platform/database/only-api.ts'
import { connect } from './platform/database/connect.ts'
import { openDatabase } from './platform/database/open.ts'
import { listMissingZones } from './platform/database/time-zones.ts'
import { keepAlive } from './platform/nodes/keep-alive.ts'
import { retryUntil } from './platform/background/retry.ts'
import { StartRefused } from './platform/problem.ts'
import { connectRedis, isRedisAway } from './platform/redis/connect.ts'
import { systemTimers } from './platform/background/timers.ts'
import { logOptions } from './platform/telemetry/log.ts'
import { createMetrics } from './platform/telemetry/metrics.ts'
import { say, warn } from './progress.ts'
import { readSecrets, type Secrets } from './settings/secrets.ts'
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts'
import { openStorage } from './compose/storage.ts'

export interface RunningNode {
  /** Stops everything in reverse order: traffic first, the database last. */
  stop(): Promise<void>
}

/** An api process runs no jobs. */
const UNOBSERVED = { started: () => {}, succeeded: () => {}, failed: () => {} }
const VERSION = '0.1.0'
const STATEMENT_TIMEOUT_MS = 30_000
const EXPORT_CONNECTIONS = { connectionsMax: 4, statementTimeoutMs: 10_000 }

/** Starts the process's roles. Waits for a database or Redis that is briefly unavailable. */
export async function startNode(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<RunningNode> {
  const secrets = await readSecrets(config)
  const log = await openLog(config)
  return retryUntil(() => startOnce({ config, secrets, log, environment }), {
    seconds: config.START_PATIENCE_SECONDS,
    timers: systemTimers,
    uptime: systemUptime,
    isTransient: (error) => isTransient(error) || isRedisAway(error),
    onWait(error) {
      log.warn({ err: error }, 'the start failed and is tried again')
      say(`Not started yet (${(error as Error).message}); trying again`)
    },
  })
}

interface Process {
  readonly config: Config
  readonly secrets: Secrets
  readonly log: Logger
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** If a part fails to start, the parts already started are stopped. */
async function startOnce(process: Process): Promise<RunningNode> {
  const { config, log, environment } = process
  const stack = new AsyncDisposableStack()
  try {
    const base = await prepare(process, stack)
    if (config.PLACARD_ROLE === 'worker') await startWorker(base, stack)
    else await startApi(base, { environment, stack })
    return { stop: () => stack.disposeAsync() }
  } catch (error) {
    await stack
      .disposeAsync()
      .catch((err: unknown) => log.warn({ err }, 'some parts could not be stopped'))
    throw error
  }
}

interface NodeStart {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly stack: AsyncDisposableStack
}

async function prepare(
  { config, secrets, log }: Process,
  stack: AsyncDisposableStack,
): Promise<PlacardBase> {
  const { db, pool, url, close } = await openDatabase({
    url: config.DATABASE_URL,
    home: config.PLACARD_HOME,
    connectionsMax: config.DATABASE_CONNECTIONS_MAX,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    onLost: ({ message }) => log.warn({ reason: message }, 'database connection lost'),
    onEnd: (end) => log.error(end, 'the embedded PostgreSQL ended and is restarted'),
    onStartedAgain: () => log.warn('the embedded PostgreSQL is running again'),
    progress: say,
  })
  stack.defer(close)

  const applied = await migrate(pool, await readMigrations(MIGRATIONS))
  if (applied.length > 0) say(`Applied ${applied.length} migrations`)
  await warnOfMissingZones(pool, log)
  const metrics = createMetrics(VERSION)
  const clock = systemClock(config.PLACARD_CLOCK_OFFSET_MS)
  return baseOf({ config, secrets, log, db, pool, url, metrics, clock, random: systemRandom })
}

/** An operator's PostgreSQL may know other time zones than the one Placard was tested with. */
async function warnOfMissingZones(pool: Pool, log: Logger): Promise<void> {
  const zones = await listMissingZones(pool)
  if (zones.length === 0) return
  log.warn({ zones }, 'this PostgreSQL lacks time zones: rows with one of them use UTC')
}

/** JSON lines to standard output; in the demo to a file, so that they do not hide the banner. */
async function openLog(config: Config): Promise<Logger> {
  const options = logOptions(config.LOG_LEVEL, config.PLACARD_ROLE, config.LOG_LEVEL_NAMES)
  if (config.PLACARD_MODE === 'production') return pino(options)
  await mkdir(config.PLACARD_HOME, { recursive: true })
  return pino(
    options,
    destination({ dest: path.join(config.PLACARD_HOME, 'placard.log'), mode: 0o600 }),
  )
}

/** Loaded only if a collector is configured, to keep the start short. */
async function openTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, PLACARD_ROLE: role }: Config) {
  if (!endpoint) return undefined
  const { startTracing } = await import('./platform/telemetry/tracing.ts')
  return startTracing({ endpoint, role })
}

async function startApi(prepared: PlacardBase, { environment, stack }: NodeStart): Promise<void> {
  const { config, url, log, ids, timers } = prepared
  const claim = await claimApi(url, {
    isShared: config.REDIS_URL !== undefined,
    id: ids.next(),
    timers,
    onLost() {
      log.fatal('another api has claimed this database meanwhile: this one stops')
      process.kill(process.pid, 'SIGTERM')
    },
  })
  stack.defer(() => claim.release())
  const base = await openApiBase(prepared, { environment, stack })
  const isDemo = config.PLACARD_MODE === 'demo'
  if (isDemo) await openDemo(base)

  const serving = await composeServing(base)
  stack.defer(() => serving.stop())
  let worker: WorkerProcess | undefined
  const isAll = config.PLACARD_ROLE === 'all'
  const probes = { worker: async () => worker?.isWorking() !== false }
  const modules = [...serving.modules, ...(isAll ? [{ name: 'worker', probes }] : [])]
  const demoKey = isDemo
    ? Buffer.from(base.random.bytes(DEMO_KEY_BYTES)).toString('base64url')
    : undefined
  const { http, drain, stop } = await composeApi(base, { ...serving, modules }, demoKey)
  stack.defer(stop)
  const address = await listen(http, { host: config.API_HOST, port: config.API_PORT })
  if (isAll) {
    const started = startWorkerProcess({ environment, databaseUrl: url, log })
    worker = started
    stack.defer(() => started.stop())
  }
  if (demoKey !== undefined && config.DEMO_VISITS_PER_SECOND > 0) {
    const traffic = demoTraffic(base, { address, key: demoKey })
    stack.defer(() => traffic.stop())
  }
  reportLife(base, { stack, nodeId: base.nodeId, serving })
  // Deferred last, so it runs first: the load balancer must know before the worker finishes.
  stack.defer(drain)
  announce(config, address)
}

const DEMO_KEY_BYTES = 32

function announce(config: Config, address: string): void {
  if (config.PLACARD_MODE === 'production') {
    say(`Placard is ready on ${address}`)
    return
  }
  const home = path.resolve(config.PLACARD_HOME)
  say(demoWelcome({ address, home, seconds: process.uptime() }))
  if (isDemoInReach(config)) {
    warn(
      '  Other machines reach this demo, and its passwords are public: keep no real data in it.\n',
    )
  }
}

async function openApiBase(
  base: PlacardBase,
  { environment, stack }: NodeStart,
): Promise<ApiBase & { readonly nodeId: string }> {
  const { config, ids } = base
  const tracing = await openTracing(config)
  stack.defer(() => tracing?.stop())
  const redis = openRedis(base, stack)
  const jobs = await openJobs({ ...base, role: 'enqueuer', jobs: JOBS, observer: UNOBSERVED })
  stack.defer(() => jobs.stop())
  const nodeId = ids.next()
  const given = { givenSettings: givenSettings(environment), storage: openStorage(config) }
  const exportDb = openExportDb(base.url, stack)
  return { ...apiBaseOf(base, { ...given, tracing, redis, jobs, exportDb }), nodeId }
}

/** Exports read on their own connections. */
function openExportDb(url: string, stack: AsyncDisposableStack) {
  const { db, close } = connect({ url, ...EXPORT_CONNECTIONS })
  stack.defer(close)
  return db
}

/** The first start creates the demo and the week before today. */
async function openDemo(base: ApiBase): Promise<void> {
  if (!(await composeDemo({ ...base, progress: say }))) return
  say('Creating the demo: the week before today')
  await runDemoHistory(base)
}

const demoTraffic = (
  { config, random, log, timers }: PlacardBase,
  { address, key }: { readonly address: string; readonly key: string },
) =>
  startDemoTraffic({
    address,
    key,
    random,
    visitsPerSecond: config.DEMO_VISITS_PER_SECOND,
    timers,
    onError: (error) => log.debug({ err: error }, 'a demo visitor got no answer'),
  })

async function startWorker(base: PlacardBase, stack: AsyncDisposableStack): Promise<void> {
  const { config } = base
  const tracing = await openTracing(config)
  stack.defer(() => tracing?.stop())
  const worker = await composeWorker(base)
  stack.defer(() => worker.stop())
  stack.defer(() => worker.http.close())
  await listen(worker.http, { host: config.API_HOST, port: config.WORKER_PORT })
  reportLife(base, { stack, nodeId: base.ids.next() })
}

interface Life {
  readonly stack: AsyncDisposableStack
  readonly nodeId: string
  readonly serving?: Serving
}

/** Reports this process to the other nodes. Operators see all nodes from any of them. */
function reportLife(
  { config, db, clock, log, timers }: PlacardBase,
  { stack, nodeId: id, serving }: Life,
): void {
  const life = keepAlive({
    db,
    timers,
    id,
    role: config.PLACARD_ROLE,
    version: VERSION,
    uptimeSeconds: () => process.uptime(),
    facts: () => ({
      memoryBytes: process.memoryUsage.rss(),
      ...(serving && { index: describeIndex(serving.catalogue, clock.now()) }),
    }),
    onError: (error) => log.debug({ err: error }, 'this node could not report that it is alive'),
  })
  stack.defer(() => life.stop())
}

function openRedis({ config, log }: PlacardBase, stack: AsyncDisposableStack) {
  if (!config.REDIS_URL) return undefined
  const redis = connectRedis({
    url: config.REDIS_URL,
    password: config.REDIS_PASSWORD,
    commandTimeoutMs: config.REDIS_TIMEOUT_MS,
    gatheredCommands: GATHERED_COMMANDS,
    onError: (error) => log.warn({ err: error }, 'Redis connection failed'),
  })
  stack.defer(() => redis.disconnect())
  return redis
}

interface Listening {
  listen(options: { host: string; port: number }): Promise<string>
}

async function listen(http: Listening, address: { host: string; port: number }): Promise<string> {
  try {
    return await http.listen(address)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new StartRefused(
        `Port ${address.port} is in use. Stop the other program or set another port.`,
      )
    }
    if (code === 'EACCES')
      throw new StartRefused(`Placard has no permission to use port ${address.port}.`)
    throw error
  }
}
