import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DAY_MS } from '@placard/calendar'
import { eq } from 'drizzle-orm'
import { pino, type Logger } from 'pino'
import { Registry } from 'prom-client'
import { onTestFinished } from 'vitest'
import { argon2Passwords } from '../capabilities/accounts/index.ts'
import { createKey } from '../capabilities/accounts/keys/operations.ts'
import { deviceSessions, users } from '../capabilities/accounts/tables.ts'
import { diskStorage } from '../capabilities/creatives/index.ts'
import { composeApi } from '../compose/api.ts'
import { type ApiBase, apiBaseOf, baseOf } from '../compose/base.ts'
import type { Serving } from '../compose/serving.ts'
import { givenSettings, readConfig } from '../settings/config.ts'
import { actorOf, addAccount, depsOn, type TestDeps } from './world.ts'
import type { Connection } from '../platform/database/connect.ts'
import type { Timers } from '../platform/background/timers.ts'
import { freshDatabase, type AtEnd } from './services/database.ts'

/** Cheap hashing: tests sign in often. */
export const passwords = argon2Passwords({ memoryKib: 64, passes: 1 })
export const PASSWORD = 'correct horse battery staple'

/** Test secrets: long enough, used nowhere else. */
export const SECRETS = {
  jwtSecret: 'a secret for tests, long enough to sign',
  userKeySecret: 'a secret of the tests, long enough to hash',
  encryptionSecret: 'a secret for tests, long enough to encrypt',
  trackingKeys: '1:a-secret-of-the-tests-long-enough-to-seal',
}

export type TestServer = Awaited<ReturnType<typeof startServer>>

/** The whole API on its own database, called without a port. */
export async function startServer(settings: Record<string, string> = {}, template?: string) {
  return startServerOn(await freshDatabase(template), { settings })
}

export interface ServerOptions extends Partial<
  Pick<ApiBase, 'jobs' | 'knownJobs' | 'storage' | 'redis' | 'exportDb' | 'passwords' | 'secrets'>
> {
  readonly settings?: Record<string, string>
  readonly log?: Logger
  readonly timers?: Timers
  readonly atEnd?: AtEnd
  /** Deps of another server on the same database, so that ids differ and files are shared. */
  readonly deps?: TestDeps
}

type Ground = Pick<Connection, 'db' | 'pool'> & { readonly url?: string }

/** The base of an API process, on a database that the test brings. */
export async function testBase(
  connection: Ground,
  options: ServerOptions = {},
): Promise<{ readonly base: ApiBase; readonly deps: TestDeps }> {
  const { settings, log = pino({ level: 'silent' }), timers, atEnd = onTestFinished } = options
  const { jobs, knownJobs, redis, exportDb } = options
  const deps = options.deps ?? depsOn(connection)
  const storage = options.storage ?? diskStorage(await scratchFolder(atEnd))
  const environment = { LOG_LEVEL: 'silent', ...settings }
  const base = baseOf({
    config: readConfig(environment),
    secrets: options.secrets ?? SECRETS,
    db: connection.db,
    pool: connection.pool,
    url: connection.url ?? '',
    log,
    metrics: new Registry(),
    clock: deps.clock,
    random: deps.random,
    ...(timers && { timers }),
  })
  const cheap = options.passwords ?? passwords
  const given = {
    jobs,
    redis,
    exportDb,
    storage,
    passwords: cheap,
    ...(knownJobs && { knownJobs }),
  }
  return {
    base: apiBaseOf(base, { ...given, givenSettings: givenSettings(environment) }),
    deps,
  }
}

/** The API on the test's database, without ads. */
export async function startServerOn<Given extends Ground>(
  connection: Given,
  options: ServerOptions = {},
) {
  const { base, deps } = await testBase(connection, options)
  const server = await startApiOn(base, { atEnd: options.atEnd })
  return { ...server, deps, connection, storage: base.storage }
}

/** The API of that base, with ads if `serving` is given. */
export async function startApiOn(
  base: ApiBase,
  { serving, atEnd = onTestFinished }: { serving?: Serving; atEnd?: AtEnd | undefined },
) {
  const { http, drain, stop } = await composeApi(base, serving)
  atEnd(stop)
  return { http, drain }
}

/** A temporary folder, deleted after the test. */
export async function scratchFolder(atEnd: AtEnd = onTestFinished): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'placard-scratch-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

type Role = 'operator' | 'ad-ops' | 'advertiser' | 'publisher' | 'trust'

/** A user with that role, in a new account of the right kind. */
export async function addUser(
  deps: TestDeps,
  role: Role,
  account?: { id: bigint; publicId: string },
) {
  const kind = role === 'advertiser' || role === 'publisher' ? role : 'platform'
  const owner = account ?? (await addAccount(deps, kind))
  const publicId = deps.ids.next()
  const now = deps.clock.now()
  const email = `${role}-${publicId}@test.example`
  await deps.db.insert(users).values({
    publicId,
    accountId: owner.id,
    email,
    displayName: `The ${role}`,
    role,
    passwordHash: await passwords.hash(PASSWORD),
    createdAt: now,
    updatedAt: now,
  })
  return { publicId, email, account: owner }
}

/** A device session, signed in or blocked. Returns its public id. */
export async function addDeviceSession(
  { db, ids, clock }: TestDeps,
  user: { readonly publicId: string },
  { isBlocked = false } = {},
): Promise<string> {
  const publicId = ids.next()
  const now = clock.now()
  const [owner] = await db.select().from(users).where(eq(users.publicId, user.publicId))
  await db.insert(deviceSessions).values({
    publicId,
    userId: owner!.id,
    deviceName: 'A phone',
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + DAY_MS),
    blockedAt: isBlocked ? now : null,
  })
  return publicId
}

/** Signs in and returns the authorization header. */
export async function signInAs({ http }: Pick<TestServer, 'http'>, email: string) {
  const response = await http.inject({
    method: 'POST',
    url: '/api/v1/auth/sign-in',
    payload: { email, password: PASSWORD },
  })
  const body = response.json()
  return { ...body, headers: { authorization: `Bearer ${body.accessToken}` } }
}

/** An API key of that account with exactly those scopes, as a header. */
export async function addKey(
  { deps }: Pick<TestServer, 'deps'>,
  { account, scopes }: { account: { id: bigint; publicId: string }; scopes: readonly string[] },
) {
  const { requestId, principal } = actorOf({ ...account, kind: 'platform' }, ['accounts:write'])
  const operator = { requestId, principal: { ...principal, kind: 'user' as const } }
  const { key } = await createKey(deps, {
    body: { name: 'test', accountId: account.publicId, scopes },
    actor: operator,
  })
  return { 'x-api-key': key }
}
