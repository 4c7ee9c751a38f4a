import { mkdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { destination, pino, type Logger } from 'pino'
import { measureServeIndex, openServeIndex } from './capabilities/contextual/index.ts'
import { describeIndex } from './capabilities/decisions/index.ts'
import { GATHERED_COMMANDS } from './capabilities/frequency/index.ts'
import { composeApi, type Surroundings } from './compose/api.ts'
import { composeDemoHistory } from './compose/demo-history.ts'
import { composeDemo, demoWelcome, startDemoTraffic } from './compose/demo.ts'
import { baseOf } from './compose/base.ts'
import { JOBS } from './compose/jobs.ts'
import { composeServing, type Serving } from './compose/serving.ts'
import { composeTracking } from './compose/tracking.ts'
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
import { openDatabase, type OpenDatabase } from './platform/database/open.ts'
import { idsFrom } from './platform/ids.ts'
import { keepAlive } from './platform/nodes/keep-alive.ts'
import { retryUntil } from './platform/background/retry.ts'
import { StartRefused } from './platform/problem.ts'
import { connectRedis, isRedisAway } from './platform/redis/connect.ts'
import { systemTimers } from './platform/background/timers.ts'
import { logOptions } from './platform/telemetry/log.ts'
import { createMetrics } from './platform/telemetry/metrics.ts'
import { say, warn } from './progress.ts'
import { readSecrets, type Secrets } from './settings/secrets.ts'
import { startWorkerProcess } from './worker-process.ts'
import { openStorage } from './compose/storage.ts'

export interface RunningNode {
  /** Ends everything in reverse order: traffic first, the database last. */
  stop(): Promise<void>
}

/** An api process runs no jobs. */
const UNOBSERVED = { started: () => {}, succeeded: () => {}, failed: () => {} }
const VERSION = '0.1.0'
const STATEMENT_TIMEOUT_MS = 30_000
const EXPORT_CONNECTIONS = { connectionsMax: 4, statementTimeoutMs: 10_000 }

/** Starts what this process is for. A database or a Redis that is away for a moment is waited for. */
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
      log.warn({ err: error }, 'the start is tried again')
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

/** If anything refuses, what had started is stopped again. */
async function startOnce(process: Process): Promise<RunningNode> {
  const { config, log, environment } = process
  const stack = new AsyncDisposableStack()
  try {
    const surroundings = await prepare(process, stack)
    if (config.PLACARD_ROLE === 'worker') await startWorker(surroundings, stack)
    else await startApi(surroundings, { environment, stack })
    return { stop: () => stack.disposeAsync() }
  } catch (error) {
    await stack
      .disposeAsync()
      .catch((err: unknown) => log.warn({ err }, 'not all could be stopped'))
    throw error
  }
}

type Prepared = Surroundings & { readonly database: OpenDatabase; readonly nodeId: string }

interface NodeStart {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly stack: AsyncDisposableStack
}

async function prepare(
  { config, secrets, log, environment }: Process,
  stack: AsyncDisposableStack,
): Promise<Prepared> {
  const database = await openDatabase({
    url: config.DATABASE_URL,
    home: config.PLACARD_HOME,
    connectionsMax: config.DATABASE_CONNECTIONS_MAX,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    onLost: ({ message }) => log.warn({ reason: message }, 'database connection lost'),
    progress: say,
  })
  stack.defer(() => database.close())

  const applied = await migrate(database.pool, await readMigrations(MIGRATIONS))
  if (applied.length > 0) say(`Applied ${applied.length} migrations`)
  const tracing = await openTracing(config)
  stack.defer(() => tracing?.stop())

  const clock = systemClock(config.PLACARD_CLOCK_OFFSET_MS)
  return {
    config,
    givenSettings: givenSettings(environment),
    nodeId: idsFrom({ clock, random: systemRandom }).next(),
    secrets,
    log,
    database,
    tracing,
    db: database.db,
    metrics: createMetrics(VERSION),
    clock,
    random: systemRandom,
    storage: openStorage(config),
  }
}

/** JSON lines: to standard output, or in the demo beside the data, where they don't hide the words. */
async function openLog(config: Config): Promise<Logger> {
  const options = logOptions(config.LOG_LEVEL, config.PLACARD_ROLE, config.LOG_LEVEL_NAMES)
  if (config.PLACARD_MODE === 'production') return pino(options)
  await mkdir(config.PLACARD_HOME, { recursive: true })
  return pino(options, destination({ dest: path.join(config.PLACARD_HOME, 'placard.log') }))
}

/** Loaded only where a collector is configured: it costs start-up time. */
async function openTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, PLACARD_ROLE: role }: Config) {
  if (!endpoint) return undefined
  const { startTracing } = await import('./platform/telemetry/tracing.ts')
  return startTracing({ endpoint, role })
}

async function startApi(prepared: Prepared, { environment, stack }: NodeStart): Promise<void> {
  const { config, database } = prepared
  const claim = await claimApi(database.url, { isShared: config.REDIS_URL !== undefined })
  stack.defer(() => claim.release())
  const isDemo = config.PLACARD_MODE === 'demo'
  if (isDemo) await openDemo(prepared)

  const serveIndex = await openMeasuredIndex(prepared)
  const node = `${hostname()} ${process.pid}`
  const serving = await composeServing({
    ...servingOptions(prepared, stack),
    serveIndex,
    node,
  })
  stack.defer(() => serving.stop())
  const { pool, url } = database
  const tracking = await composeTracking({ ...prepared, pool, url, node, serving })
  stack.defer(() => tracking.stop())
  const jobs = await openJobs({
    ...prepared,
    url,
    role: 'enqueuer',
    jobs: JOBS,
    observer: UNOBSERVED,
  })
  stack.defer(() => jobs.stop())
  const onError = (error: unknown) => prepared.log.warn({ err: error }, 'new pages are not told of')
  const keeping = serveIndex.start({ jobs, timers: systemTimers, onError })
  stack.defer(() => keeping.stop())
  const parts = {
    exportDb: openExportDb(url, stack),
    serving,
    tracking,
    jobs,
    knownJobs: JOBS,
    liveUpdates: serveIndex.liveUpdates,
  }
  const { http, drain } = await composeApi({ ...prepared, ...parts })
  stack.defer(() => http.close())
  const address = await listen(http, { host: config.API_HOST, port: config.API_PORT })
  if (config.PLACARD_ROLE === 'all') {
    const worker = startWorkerProcess({
      environment,
      databaseUrl: database.url,
      log: prepared.log,
    })
    stack.defer(() => worker.stop())
  }
  if (isDemo && config.DEMO_VISITS_PER_SECOND > 0) {
    const traffic = demoTraffic(prepared, { address, serving })
    stack.defer(() => traffic.stop())
  }
  tellOfLife(prepared, { stack, serving })
  // Last here is first at the end: the load balancer hears of it while the worker finishes.
  stack.defer(drain)
  announce(config, address)
}

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

const servingOptions = (prepared: Prepared, stack: AsyncDisposableStack) => {
  const { config, database } = prepared
  return {
    ...prepared,
    ...prepared.secrets,
    url: database.url,
    pool: database.pool,
    geoFile: config.GEOIP_PATH,
    linkLives: {
      impressionHours: config.LINK_IMPRESSION_HOURS,
      clickDays: config.LINK_CLICK_DAYS,
    },
    holdTimes: {
      plainMs: config.RESERVATION_SECONDS * 1_000,
      videoMs: config.RESERVATION_VIDEO_SECONDS * 1_000,
    },
    redis: openRedis(prepared, stack),
    redisTimeoutMs: config.REDIS_TIMEOUT_MS,
    leaseSeconds: config.BUDGET_LEASE_SECONDS,
    publicUrl: config.PUBLIC_URL?.replace(/\/+$/, ''),
  }
}

/** Exports read on connections of their own. */
function openExportDb(url: string, stack: AsyncDisposableStack) {
  const { db, close } = connect({ url, ...EXPORT_CONNECTIONS })
  stack.defer(close)
  return db
}

async function openMeasuredIndex(prepared: Prepared) {
  const serveIndex = await openServeIndex({ ...prepared, ids: idsFrom(prepared) })
  measureServeIndex(prepared.metrics, serveIndex, prepared.clock)
  return serveIndex
}

/** The first start makes the demo, and the week that led to today. */
async function openDemo(prepared: Prepared): Promise<void> {
  if (!(await composeDemo({ ...prepared, progress: say }))) return
  say('Making the demo: the week before today')
  await composeDemoHistory({ ...prepared, url: prepared.database.url })
}

const demoTraffic = (
  { config, random, log }: Prepared,
  { address, serving }: { readonly address: string; readonly serving: Serving },
) =>
  startDemoTraffic({
    address,
    random,
    visitsPerSecond: config.DEMO_VISITS_PER_SECOND,
    timers: systemTimers,
    slugs: () => [...serving.catalogue.content.placements.values()].map(({ slug }) => slug),
    onError: (error) => log.debug({ err: error }, 'a reader of the demo was turned away'),
  })

async function startWorker(prepared: Prepared, stack: AsyncDisposableStack): Promise<void> {
  const { config, database } = prepared
  const worker = await composeWorker(
    baseOf({ ...prepared, pool: database.pool, url: database.url }),
  )
  stack.defer(() => worker.stop())
  stack.defer(() => worker.http.close())
  await listen(worker.http, { host: config.API_HOST, port: config.WORKER_PORT })
  tellOfLife(prepared, { stack })
}

/** Operators see from any node which ones there are. */
function tellOfLife(
  { config, db, clock, log, nodeId: id }: Prepared,
  { stack, serving }: { readonly stack: AsyncDisposableStack; readonly serving?: Serving },
): void {
  const life = keepAlive({
    db,
    timers: systemTimers,
    id,
    role: config.PLACARD_ROLE,
    version: VERSION,
    uptimeSeconds: () => process.uptime(),
    facts: () => ({
      memoryBytes: process.memoryUsage.rss(),
      ...(serving && { index: describeIndex(serving.catalogue, clock.now()) }),
    }),
    onError: (error) => log.debug({ err: error }, 'the others do not hear of this node'),
  })
  stack.defer(() => life.stop())
}

function openRedis({ config, log }: Prepared, stack: AsyncDisposableStack) {
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
      throw new StartRefused(`Port ${address.port} is taken: stop what uses it or set another.`)
    }
    if (code === 'EACCES') throw new StartRefused(`Port ${address.port} may not be used by us.`)
    throw error
  }
}
