import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { failureOf, reasonOf } from '../../../platform/database/failure.ts'
import { Problem } from '../../../platform/problem.ts'
import type { GeoObserver } from '../ingest/observer.ts'
import { geoProblems } from '../problems.ts'
import type { Actor as Caller, ResourceDeps } from '../../../platform/resources/index.ts'
import type { Actor, UserService } from '../guard/services.ts'
import { saveDeclaredCountry, saveTransition } from '../review/store-reviews.ts'
import {
  addVersion,
  findOpenVersion,
  findApplied,
  findVersion,
  findVersionByKey,
  isCountryKnown,
  listVersions,
  lockUser,
  moveVersion,
  OPEN,
  type Version,
  type VersionKey,
} from './store-versions.ts'

/**
 * | state         | means                                        | next                           |
 * | ------------- | -------------------------------------------- | ------------------------------ |
 * | `recorded`    | approved and written down                    | `applied`, `sync_failed`       |
 * | `sync_failed` | the User Service did not take it             | `applied`, `abandoned`         |
 * | `applied`     | the User Service has it                      | for ever                       |
 * | `abandoned`   | given up; the User Service has the old value | for ever                       |
 */
export interface DeclaredDeps {
  readonly db: Database
  readonly clock: Clock
  readonly users: UserService
  readonly observer: GeoObserver
}

/** A person's change is audited in their name, whichever service owns the users. */
export interface ChangeDeps extends DeclaredDeps {
  readonly audit: ResourceDeps['audit']
}

export interface CountryChange {
  readonly userId: string
  readonly country: string
  readonly actor: Actor
  readonly caller: Caller
  readonly reasonCode: string
  readonly comment: string | null
  readonly idempotencyKey: string | null
  /** Refuses a change that is not allowed now. Called while the user is locked. */
  readonly refuse?: (db: Database) => Promise<void>
}

/** Applies an approved change. It is done once the User Service has it. */
export async function applyDeclaredCountry(
  deps: ChangeDeps,
  change: CountryChange,
): Promise<Version> {
  await knowUser(deps, change.userId)
  const version = await recordChange(deps, change)
  return OPEN.includes(version.state) ? synchronise(deps, version) : version
}

async function recordChange(deps: ChangeDeps, change: CountryChange): Promise<Version> {
  const { userId, country, idempotencyKey, actor, caller } = change
  return deps.db.transaction(async (db) => {
    const previousCountry = await lockUser(db, userId)
    const repeated = await findRepeated(db, change)
    if (repeated) return repeated
    const open = await findOpenVersion(db, userId)
    if (open) throw new Problem(geoProblems.changePending, `Version ${open.versionNo} is open.`)
    const standing = country === previousCountry ? await findApplied(db, userId) : undefined
    if (standing?.country === country) return standing
    await change.refuse?.(db)
    const version = await addVersion(db, {
      userId,
      country,
      previousCountry,
      idempotencyKey,
      state: 'recorded',
      actorType: actor.type,
      actorId: actor.id,
      reasonCode: change.reasonCode,
      comment: change.comment,
      recordedAt: deps.clock.now(),
    })
    await auditChange({ ...deps, db }, version, { action: 'change', caller })
    return version
  })
}

/** The version that an earlier request with this key made. */
async function findRepeated(
  db: Database,
  { userId, idempotencyKey, country }: CountryChange,
): Promise<Version | undefined> {
  if (idempotencyKey === null) return undefined
  const found = await findVersionByKey(db, { userId, idempotencyKey })
  if (!found || found.country === country) return found
  const detail = `It made version ${found.versionNo}, for ${found.country}.`
  throw new Problem(geoProblems.changeKeyReused, detail)
}

interface VersionAct {
  readonly action: 'change' | 'retry' | 'abandon'
  readonly caller: Caller
}

const auditChange = (
  { db, audit }: Pick<ChangeDeps, 'db' | 'audit'>,
  { userId, versionNo, country, previousCountry, reasonCode, comment }: Version,
  { action, caller }: VersionAct,
) =>
  audit(db, {
    actor: caller,
    accountId: null,
    action: `geo-country.${action}`,
    entity: 'user',
    entityId: userId,
    before: { country: previousCountry },
    after: { version: versionNo, country, reasonCode, comment },
  })

/** Retries an open version. A finished one stays as it is. */
export async function retryVersion(
  deps: ChangeDeps,
  key: VersionKey,
  caller: Caller,
): Promise<Version> {
  const version = await getVersion(deps.db, key)
  if (!OPEN.includes(version.state)) return version
  await auditChange(deps, version, { action: 'retry', caller })
  return synchronise(deps, version)
}

/** Abandons an open version, and makes sure that the User Service has the previous value. */
export async function abandonVersion(
  deps: ChangeDeps,
  key: VersionKey,
  caller: Caller,
): Promise<Version> {
  const version = await getVersion(deps.db, key)
  if (!OPEN.includes(version.state)) return version
  // For a deleted user there is nothing to restore.
  await sendCountry(deps, version, version.previousCountry)
  const moved = await deps.db.transaction(async (db) => {
    const moved = await moveVersion(db, key, { state: 'abandoned' })
    if (moved) await auditChange({ ...deps, db }, moved, { action: 'abandon', caller })
    return moved
  })
  return moved ?? getVersion(deps.db, key)
}

async function synchronise(deps: DeclaredDeps, version: Version): Promise<Version> {
  const { db, clock, observer } = deps
  const { userId, country } = version
  const outcome = await sendCountry(deps, version, country)
  if (outcome === 'no-such-user') {
    await keepOpen(deps, version, 'The User Service no longer knows the user. Abandon the change.')
  }
  const now = clock.now()
  const applied = await db.transaction(async (db) => {
    const moved = await moveVersion(db, version, { state: 'applied', appliedAt: now })
    if (!moved) return undefined
    await saveDeclaredCountry(db, { userId, country, now })
    const reasonCode = 'declared_country_changed'
    const cleared = { userId, isRecommended: false, reasonCode, evidence: null, now }
    if ((await saveTransition(db, cleared)) !== undefined) observer.reviewed('cleared')
    return moved
  })
  observer.synced('applied')
  return applied ?? getVersion(db, version)
}

async function sendCountry(
  deps: DeclaredDeps,
  version: Version,
  country: string | null,
): Promise<'synced' | 'no-such-user'> {
  const { userId, reasonCode } = version
  const actor = { type: version.actorType, id: version.actorId } as Actor
  try {
    return await deps.users.syncDeclaredCountry({ userId, country, reasonCode, actor })
  } catch (error) {
    return keepOpen(deps, version, reasonOf(error))
  }
}

async function keepOpen(
  { db, observer }: DeclaredDeps,
  version: Version,
  reason: string,
): Promise<never> {
  observer.synced('failed')
  const lastError = reason
  await moveVersion(db, version, { state: 'sync_failed', lastError })
  throw new Problem(geoProblems.syncFailed, `Version ${version.versionNo} is kept: ${lastError}`)
}

async function getVersion(db: Database, key: VersionKey): Promise<Version> {
  const version = await findVersion(db, key)
  if (!version) throw noSubject(`version ${key.versionNo} of ${key.userId}`)
  return version
}

const noSubject = (what: string) => new Problem(geoProblems.subjectNotFound, what)

/** Reports an unavailable service to the caller, so that the action can be repeated. */
export async function knowUser(
  deps: Pick<DeclaredDeps, 'db' | 'clock' | 'users'>,
  userId: string,
): Promise<void> {
  const known = await adoptCountry(deps, userId).catch((error: unknown) => {
    if (failureOf(error)) throw error
    throw new Problem(geoProblems.userServiceAway, reasonOf(error))
  })
  if (known === 'no-such-user') throw noSubject(userId)
}

const BOOTSTRAP = { actor: { type: 'system', id: 'bootstrap' }, reasonCode: 'bootstrap' } as const

/** Learns an existing user's declared country as version 0, and changes nothing else. */
export async function adoptCountry(
  { db, clock, users }: Pick<DeclaredDeps, 'db' | 'clock' | 'users'>,
  userId: string,
): Promise<'known' | 'no-such-user'> {
  if (await isCountryKnown(db, userId)) return 'known'
  const user = await users.findUser(userId)
  if (!user) return 'no-such-user'
  const { declaredCountry: country } = user
  await db.transaction(async (db) => {
    await lockUser(db, userId)
    if (await isCountryKnown(db, userId)) return
    await takeOver({ db, clock }, { userId, country, ...BOOTSTRAP })
  })
  return 'known'
}

interface FoundCountry {
  readonly userId: string
  readonly country: string | null
  readonly actor: Actor
  readonly reasonCode: string
}

/** Records the User Service's country as an applied version. The user is locked. */
export async function takeOver(
  { db, clock }: Pick<DeclaredDeps, 'db' | 'clock'>,
  { userId, country, actor, reasonCode }: FoundCountry,
): Promise<void> {
  const now = clock.now()
  const [last] = await listVersions(db, userId)
  const standing = (await findApplied(db, userId))?.country ?? null
  await saveDeclaredCountry(db, { userId, country, now })
  if (country === standing) return
  const version = {
    userId,
    country,
    previousCountry: standing,
    state: 'applied',
    actorType: actor.type,
    actorId: actor.id,
    reasonCode,
    recordedAt: now,
    appliedAt: now,
  } as const
  await addVersion(db, version, { isFirst: last === undefined })
}
