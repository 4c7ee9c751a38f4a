import { DAY_MS } from '@placard/calendar'
import { writeObservation } from '@placard/client/observations'
import { isNotNull, sql } from 'drizzle-orm'
import { pino } from 'pino'
import { vi } from 'vitest'
import { banners } from '../../capabilities/creatives/tables.ts'
import { suspectSomebody } from '../../capabilities/geo-profile/guard/testing-suspect.ts'
import {
  type ExportDeps,
  writeExport,
} from '../../capabilities/reports/exports/operations-exports.ts'
import { reportExports } from '../../capabilities/reports/tables.ts'
import { JOBS } from '../../compose/jobs.ts'
import { openJobs } from '../../platform/jobs/open.ts'
import { composeServing, type Serving } from '../../compose/serving.ts'
import { manualTimers, type ManualTimers } from '../../platform/background/manual-timers.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Http } from '../../platform/http/server.ts'
import {
  operationsOf,
  undoable,
  type Known,
  type Operation,
  type UndoableDatabase,
} from './openapi.ts'
import { idIn, operationNamed, requestOf, type Caller } from './caller.ts'
import { freshDatabase, type AtEnd } from '../services/database.ts'
import { withProvider } from './at-provider.ts'
import { gatherPeople, type Person } from './people.ts'
import { scratchFolder, startApiOn, startServerOn, testBase } from '../server.ts'
import type { TestDeps } from '../world.ts'
import { buildWorld, stepsBefore, type World } from './walked-world.ts'

export interface Walk extends Caller, World, UndoableDatabase {
  readonly http: Http
  /** Creates what the operation needs; returns the ids to name in the call. */
  prepare(person: Person, operation: Operation): Promise<Known>
  /** Remembers the contents of all tables. Events use their own connections, so nothing undoes them. */
  remember(): Promise<void>
  /** True if this transaction has added, changed or deleted a row. */
  hasWritten(): Promise<boolean>
  /** True if a row of any table was added, changed or deleted since `remember`. */
  hasChanged(): Promise<boolean>
}

const PUBLIC_URL = 'http://localhost:8080'

const SETTINGS = {
  RATE_LIMIT_PERMITS_PER_MINUTE: '1000000',
  RATE_LIMIT_ACCOUNT_PERMITS_PER_MINUTE: '1000000',
  SIGN_IN_PERMITS_PER_MINUTE: '10000',
  SIGN_IN_FAILURES_MAX: '1000',
  // Nobody listens there: mails are queued, and no worker sends them.
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'ads@test.example',
  PUBLIC_URL,
  OIDC_ALLOWED_HOSTS: '127.0.0.1',
}

/** One API on one database, with users of every role and a row of everything. */
export async function startWalk(atEnd: AtEnd): Promise<Walk> {
  const connection = await freshDatabase(undefined, atEnd)
  const { db, undoing } = undoable(connection.db)
  const ground = { ...connection, db }
  const settings = { ...SETTINGS, PLACARD_HOME: await scratchFolder(atEnd) }
  const managing = await startServerOn(ground, { settings, atEnd })
  const people = await gatherPeople(managing)
  const manager = await callerOf(managing.http)
  const world = await buildWorld(manager, people)
  const { deps, storage } = managing
  const members = await withProvider(manager, { ...world, deps, publicUrl: PUBLIC_URL, atEnd })
  const timers = manualTimers()
  const jobs = await openJobs({
    config: {},
    db,
    url: connection.url,
    random: deps.random,
    log: pino({ level: 'silent' }),
    role: 'enqueuer',
    jobs: JOBS,
    observer: { started: () => {}, succeeded: () => {}, failed: () => {} },
  })
  atEnd(() => jobs.stop())
  const { base } = await testBase(ground, { settings, atEnd, deps, storage, jobs })
  // Serves the catalogue as it is now. Time stands still, so nothing is written in the background.
  const serving = await composeServing({ ...base, timers })
  atEnd(() => serving.stop())
  const { http } = await startApiOn(base, { serving, atEnd })
  const caller = await callerOf(http)
  const decisionId = await recordDecision(caller, { db, timers, known: world.people[0]!.known })
  const sealed = await sealedFor(serving, { ...deps, db, decisionId })
  const clickId = sealed('conversion')
  const webhookDeliveryId = await findDelivery(caller, world.people[0]!)
  const jobId = await orderSync(caller, world.people[0]!)
  // An hour ago, so that the walk may start other syncs.
  await db.execute(
    sql`update channel_syncs set state = 'succeeded', requested_at = requested_at - interval '1 hour'`,
  )
  const links = {
    token: sealed('event'),
    eventToken: sealed('event'),
    'trackProgress.event': 'midpoint',
    'trackConversion.token': clickId,
    'trackConversionPixel.token': clickId,
  }
  const sessions = await suspectSessions({ ...deps, db })
  const seen = { decisionId, ...links, ...sessions, webhookDeliveryId, jobId, ...OBSERVED }
  await writeExports({ ...deps, db, storage })
  const tables = await listTables(db)
  let remembered = await readContents(db, tables)
  return {
    ...caller,
    ...world,
    people: members.map((person) => ({ ...person, known: { ...person.known, ...seen } })),
    http,
    db,
    undoing,
    prepare: (person, operation) => prepare(caller, { person, operation }),
    remember: async () => void (remembered = await readContents(db, tables)),
    hasChanged: async () => (await readContents(db, tables)) !== remembered,
    hasWritten: async () =>
      (await hasTouchedRows(db)) && (await readContents(db, tables)) !== remembered,
  }
}

export async function callerOf(http: Http): Promise<Caller> {
  await http.ready()
  return {
    operations: operationsOf(http),
    call: (person, operation, known = person?.known ?? {}) =>
      http.inject(requestOf(operation, known, person?.headers)),
  }
}

/** Sessions of people outside the world, whom the guard does not keep from anything: suspicious, and blocked. */
async function suspectSessions(deps: Pick<TestDeps, 'db' | 'clock' | 'ids'>): Promise<Known> {
  const blockActionId = await suspectSomebody(deps, 'somebody-else')
  const blocked = await suspectSomebody(deps, 'somebody-blocked', 'device-session-3')
  await deps.db.execute(
    sql`update session_block_action set state = 'succeeded' where public_id = ${blocked}`,
  )
  return { blockActionId, 'unblockSuspiciousSession.blockActionId': blocked }
}

/** A sync of the advertiser's channels, to be asked about. */
async function orderSync(caller: Caller, person: Person): Promise<string> {
  const answer = await caller.call(person, operationNamed(caller, 'syncChannels'))
  return answer.json<{ jobIds: string[] }>().jobIds[0]!
}

/** A decision with its record. Records are written in the background, so time must pass. */
async function recordDecision(
  caller: Caller,
  { db, timers, known }: { db: Database; timers: ManualTimers; known: Known },
): Promise<string> {
  const { call } = caller
  const answer = await call(undefined, operationNamed(caller, 'servePlacement'), known)
  await vi.waitFor(async () => {
    timers.pass(1_000)
    const { rows } = await db.execute(sql`select 1 from auctions limit 1`)
    if (rows.length === 0) throw new Error('the decision is not recorded yet')
  }, 20_000)
  return answer.json<{ decisionId: string }>().decisionId
}

/** Writes the files that people of the world have ordered. */
async function writeExports(deps: Pick<ExportDeps, 'db' | 'clock' | 'ids' | 'storage'>) {
  const { signal } = new AbortController()
  const ordered = await deps.db.select().from(reportExports)
  for (const { publicId } of ordered) {
    await writeExport({ ...deps, publicUrl: undefined }, publicId, signal)
  }
}

/** The first delivery to a new webhook endpoint. */
async function findDelivery(caller: Caller, operator: Person): Promise<string> {
  const answer = await caller.call(operator, operationNamed(caller, 'listWebhookDeliveries'))
  return answer.json<{ items: { id: string }[] }>().items[0]!.id
}

/** Tracking links of an impression, for a banner with a landing page. */
async function sealedFor(
  { sealer }: Pick<Serving, 'sealer'>,
  { db, clock, decisionId }: { db: Database; clock: Clock; decisionId: string },
): Promise<(kind: 'event' | 'conversion') => string> {
  const [banner] = await db.select().from(banners).where(isNotNull(banners.ctaUrl)).limit(1)
  const issuedAtMs = clock.now().getTime()
  const utcDay = Math.floor(issuedAtMs / DAY_MS)
  const key = Number(banner!.id)
  const claims = {
    decisionId,
    position: 0,
    utcDay,
    budgetDay: utcDay,
    winner: {
      source: 'banner',
      key,
      bannerKey: key,
      campaignKey: undefined,
      advertiserKey: Number(banner!.advertiserId),
    },
    placementKey: undefined,
    siteKey: undefined,
    userKey: undefined,
    pricing: 'cpm',
    chargeMicros: 0,
    reservationId: undefined,
    holdId: undefined,
    issuedAtMs,
  } as const
  return (kind) => sealer.seal({ ...claims, kind })
}

async function prepare(
  caller: Caller,
  { person, operation }: { person: Person; operation: Operation },
): Promise<Known> {
  let known: Known = isOwn(operation) ? { ...person.known, ...person.own } : person.known
  for (const id of stepsBefore(operation.id, caller.operations)) {
    const answer = await caller.call(person, operationNamed(caller, id), known)
    if (answer.statusCode >= 300) throw new Error(`${operation.id} needs ${id}: ${answer.body}`)
    known = { ...known, ...idIn(id, answer) }
  }
  return known
}

/** What users do with their own sign-in, and with links mailed to them. */
const isOwn = ({ path }: Operation) => /^\/api\/v1\/(me|auth|recipients)\b/.test(path)

const OBSERVED: Known = {
  'acceptObservation.file': {
    type: 'application/octet-stream',
    bytes: Buffer.from(
      writeObservation({
        userId: 'user-1',
        deviceSessionId: 'device-session-1',
        ipAddress: Uint8Array.of(192, 0, 2, 1),
      }),
    ),
  },
  'retryDeclaredCountry.version': '1',
  'abandonDeclaredCountry.version': '1',
}

/** Every signed-in request adds an observation there, whatever its answer. */
const NOTED_BESIDE = 'observation_queue'

async function listTables(db: Database): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select oid::regclass::text as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`)
  return rows.map(({ name }) => name).filter((name) => name !== NOTED_BESIDE)
}

/** A quick check. It also counts rows that were rolled back to a savepoint. */
async function hasTouchedRows(db: Database): Promise<boolean> {
  const { rows } = await db.execute<{ touched: boolean }>(sql`
    select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0) > 0 as touched
      from pg_stat_xact_user_tables where relname <> ${NOTED_BESIDE}`)
  return rows[0]!.touched
}

/** Row count and checksum of each table. */
async function readContents(db: Database, tables: readonly string[]): Promise<string> {
  const each = tables.map(
    (name) => `select '${name}', count(*), sum(hashtextextended(t::text, 0)) from ${name} t`,
  )
  const { rows } = await db.execute(sql.raw(`${each.join(' union all ')} order by 1`))
  return JSON.stringify(rows)
}
