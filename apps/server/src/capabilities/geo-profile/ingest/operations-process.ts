import { jitteredBackoffMs } from '../../../platform/background/backoff.ts'
import { addressText } from '@placard/client/observations'
import type { Random } from '../../../platform/random.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { failureOf, reasonOf } from '../../../platform/database/failure.ts'
import type { Countries } from '../../../platform/geo-ip/countries.ts'
import type { Ids } from '../../../platform/ids.ts'
import { listSwitches } from '../../../platform/switches/store.ts'
import { NOWHERE } from '../profile/country-score.ts'
import { FactBook, hourOf } from '../profile/facts.ts'
import type { GeoObserver } from './observer.ts'
import { flagSuspicions, type FoundSuspicion } from '../guard/operations-blocks.ts'
import { reviewProfiles } from '../review/operations-review.ts'
import { observe } from '../profile/profile.ts'
import {
  addFacts,
  type ChangedScore,
  type ChangedSession,
  deleteScores,
  loadWindows,
  lockProfiles,
  readByKeys,
  saveScores,
  saveSessions,
  saveUsers,
  type StoredProfile,
} from '../profile/store-profiles.ts'
import {
  claimObservations,
  failObservation,
  type QueuedObservation,
  markProcessed,
} from './store-queue.ts'
import { judgeSuspicion, type SuspicionRule } from '../profile/suspicion.ts'
import { GEO_SWITCHES, type GeoModes, modesOf } from '../guard/switches.ts'

export interface ProcessDeps {
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly ids: Ids
  readonly countries: Pick<Countries, 'countryOf'>
  readonly rule: SuspicionRule
  readonly observer: GeoObserver
  readonly batchMax: number
  /** Public address of the console, for links in notices. */
  readonly consoleUrl?: string | undefined
}

const LEASE_MS = 60_000
const ATTEMPTS_MAX = 8
const BACKOFF = { firstMs: 1_000, maxMs: 600_000 }

/** Claims a batch and processes it. Returns its size: below the batch size, the queue is empty. */
export async function processObservations(deps: ProcessDeps): Promise<number> {
  const now = deps.clock.now()
  const leaseUntil = new Date(now.getTime() + LEASE_MS)
  const batch = await claimObservations(deps.db, { limit: deps.batchMax, now, leaseUntil })
  if (batch.length === 0) return 0

  const modes = modesOf(await listSwitches(deps.db, GEO_SWITCHES))
  await workOff(deps, batch, { modes, leaseUntil })
  return batch.length
}

interface BatchTerms {
  readonly modes: GeoModes
  readonly leaseUntil: Date
}

/** If a batch fails, each observation is tried alone, so that one cannot affect the others. */
async function workOff(
  deps: ProcessDeps,
  batch: readonly QueuedObservation[],
  terms: BatchTerms,
): Promise<void> {
  try {
    await deps.db.transaction((db) => takeIn({ ...deps, db }, batch, terms))
    deps.observer.processed(batch.length)
  } catch (error) {
    if (failureOf(error) === 'unavailable') throw error
    const [only, ...others] = batch
    if (only && others.length === 0) return giveBack(deps, only, error)
    for (const observation of batch) await workOff(deps, [observation], terms)
  }
}

async function giveBack(
  { db, clock, random, observer }: ProcessDeps,
  { id, attempts }: QueuedObservation,
  error: unknown,
): Promise<void> {
  const now = clock.now()
  const waitMs = jitteredBackoffMs(BACKOFF, attempts, random)
  const retryAt = attempts < ATTEMPTS_MAX ? new Date(now.getTime() + waitMs) : undefined
  const reason = reasonOf(error)
  await failObservation(db, { id, reason, now, retryAt })
  observer.failed(retryAt ? 'retry' : 'dead', error)
}

interface Resolved {
  readonly userId: string
  readonly deviceSessionId: string
  readonly observedCountry: string
  readonly atMs: number
}

/** One transaction: the changes of a batch and its mark as processed commit together. */
async function takeIn(
  deps: ProcessDeps,
  batch: readonly QueuedObservation[],
  { modes, leaseUntil }: BatchTerms,
): Promise<void> {
  const { db, clock } = deps
  const now = clock.now()
  const ids = batch.map(({ id }) => id)
  await readByKeys(db)
  const marked = await markProcessed(db, { ids, now, leaseUntil })
  if (marked !== batch.length) throw new Error('another worker has taken over')

  const observations = batch
    .map((queued) => resolve(deps, queued))
    .toSorted((a, b) => a.atMs - b.atMs)
  const profiles = await lockProfiles(db, [...new Set(observations.map(({ userId }) => userId))])
  const keys = observations.map(({ atMs, ...key }) => ({ ...key, hourMs: hourOf(atMs) }))
  const facts = new FactBook(await loadWindows(db, keys))
  const changes = observeAll(deps, observations, { modes, profiles, facts })

  await addFacts(db, facts.list())
  if (!modes.ranking) return
  await saveChanges(db, changes, modes.review ? now : null)
  await flagSuspicions(deps, changes.suspicions, modes)
  if (modes.review) await reviewProfiles(deps, [...changes.ranked], modes)
}

function resolve(
  { countries, observer }: ProcessDeps,
  { userId, deviceSessionId, ipAddress, acceptedAtMs: atMs }: QueuedObservation,
): Resolved {
  const country = ipAddress ? countries.countryOf(addressText(ipAddress)) : undefined
  if (country === undefined) observer.lookupMissed()
  return { userId, deviceSessionId, observedCountry: country ?? NOWHERE, atMs }
}

interface Changes {
  readonly sessions: Map<string, ChangedSession>
  readonly scores: Map<string, ChangedScore>
  readonly users: Set<StoredProfile>
  /** Users whose ranking changed: only their reviews may change. */
  readonly ranked: Set<StoredProfile>
  readonly suspicions: Map<string, FoundSuspicion>
}

/** The rules, observation by observation in order of time, exactly as in the simulation. */
function observeAll(
  { rule, observer }: ProcessDeps,
  observations: readonly Resolved[],
  known: { modes: GeoModes; profiles: ReadonlyMap<string, StoredProfile>; facts: FactBook },
): Changes {
  const changes: Changes = {
    sessions: new Map(),
    scores: new Map(),
    users: new Set(),
    ranked: new Set(),
    suspicions: new Map(),
  }
  for (const observation of observations) {
    const { userId, deviceSessionId, observedCountry, atMs } = observation
    const isNewWindow = known.facts.note(observation)
    if (!known.modes.ranking || observedCountry === NOWHERE) continue

    const profile = known.profiles.get(userId)!
    observe(profile, { deviceSessionId, observedCountry, atMs, isNewWindow })
    recordChange(changes, profile, observation)
    if (isNewWindow) {
      changes.ranked.add(profile)
      observer.ranked()
    }
    const suspicion = known.modes.detection
      ? judgeSuspicion(profile, { deviceSessionId, atMs, rule })
      : undefined
    if (suspicion) changes.suspicions.set(suspicion.target.deviceSessionId, { userId, suspicion })
  }
  return changes
}

function recordChange(changes: Changes, profile: StoredProfile, observation: Resolved): void {
  const { userId, deviceSessionId, observedCountry } = observation
  const session = profile.sessions.get(deviceSessionId)!
  const name = JSON.stringify([userId, deviceSessionId])
  changes.users.add(profile)
  changes.sessions.set(name, { userId, session })
  const score = session.scores.find(({ country }) => country === observedCountry)
  const scoreName = `${name}${observedCountry}`
  if (score) changes.scores.set(scoreName, { userId, deviceSessionId, score })
}

async function saveChanges(
  db: Database,
  changes: Changes,
  evaluatedAt: Date | null,
): Promise<void> {
  const sessions = [...changes.sessions.values()]
  const gone = sessions.flatMap(({ userId, session: { deviceSessionId, dropped } }) =>
    [...dropped].map((country) => ({ userId, deviceSessionId, country })),
  )
  const isKept = ({ deviceSessionId, score, userId }: ChangedScore) =>
    !gone.some(
      (one) =>
        one.country === score.country &&
        one.deviceSessionId === deviceSessionId &&
        one.userId === userId,
    )
  const scores = [...changes.scores.values()]
  await saveUsers(db, [...changes.users], evaluatedAt)
  await saveSessions(db, sessions)
  await deleteScores(db, gone)
  await saveScores(db, gone.length > 0 ? scores.filter(isKept) : scores)
}
