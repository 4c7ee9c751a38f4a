import type { Row } from '../../../platform/database/row.ts'
import { sql, type SQL } from 'drizzle-orm'
import { plainArray, textArray } from '../../../platform/database/arrays.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { CountryScore } from './country-score.ts'
import { type Fact, factName, type FactKey } from './facts.ts'
import type { SessionProfile, UserProfile } from './profile.ts'

/** A user's profile, with the parts that only the database knows. */
export interface StoredProfile extends UserProfile {
  readonly isRecommended: boolean
  readonly snoozedUntilMs: number | null
  readonly transitionSeq: number
  readonly isDeclaredCountryKnown: boolean
}

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`)
const at = (column: string) => sql.raw(`to_timestamp(${column} / 1000)`)
const texts = (values: readonly string[]) => sql`${textArray(values)}::text[]`
const numbers = (values: readonly number[]) => sql`${plainArray(values)}::float8[]`

/** Locks users in a fixed order, so that a second worker waits and then sees everything. */
export async function lockProfiles(
  db: Database,
  userIds: readonly string[],
): Promise<Map<string, StoredProfile>> {
  const ids = texts(userIds)
  let users = await lockUsers(db, ids)
  if (users.length < userIds.length) {
    await db.execute(sql`
      insert into user_review_state (user_id) select unnest(${ids}) on conflict do nothing`)
    users = await lockUsers(db, ids)
  }
  const profiles = new Map<string, StoredProfile>()
  for (const user of users) {
    const profile = { ...user, sessions: new Map() } as unknown as StoredProfile
    profiles.set(profile.userId, profile)
  }
  await loadSessions(db, ids, profiles)
  return profiles
}

/** One user's current profile, for reading only. */
export async function findProfile(
  db: Database,
  userId: string,
): Promise<StoredProfile | undefined> {
  const ids = texts([userId])
  const [user] = await readUsers(db, ids, sql``)
  if (!user) return undefined
  const profile = { ...user, sessions: new Map() } as unknown as StoredProfile
  await loadSessions(db, ids, new Map([[userId, profile]]))
  return profile
}

const lockUsers = (db: Database, ids: ReturnType<typeof texts>) =>
  readUsers(db, ids, sql`for update`)

async function readUsers(db: Database, ids: ReturnType<typeof texts>, lock: SQL) {
  const { rows } = await db.execute(sql`
    select user_id as "userId", declared_country as "declaredCountry",
           declared_country_known_at is not null as "isDeclaredCountryKnown",
           ${ms('first_seen_at')} as "firstSeenMs", coalesce(${ms('last_seen_at')}, 0) as "lastSeenMs",
           slots_by_day as "windowsByDay", active_days as "activeDays",
           country_review_recommended as "isRecommended",
           ${ms('snoozed_until')} as "snoozedUntilMs", transition_seq as "transitionSeq"
      from user_review_state where user_id = any(${ids}) order by user_id ${lock}`)
  return rows
}

/** A batch names its rows by key, so that it never scans a table, however large. */
export async function readByKeys(db: Database): Promise<void> {
  await db.execute(sql`
    select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
           set_config('enable_mergejoin', 'off', true), set_config('jit', 'off', true)`)
}

type SessionRow = Omit<SessionProfile, 'scores' | 'dropped'> & { readonly userId: string }
type ScoreRow = CountryScore & { readonly userId: string; readonly deviceSessionId: string }

async function loadSessions(
  db: Database,
  ids: ReturnType<typeof texts>,
  profiles: ReadonlyMap<string, StoredProfile>,
): Promise<void> {
  const { rows: sessions } = await db.execute(sql`
      select user_id as "userId", device_session_id as "deviceSessionId",
             usual_connection_country as "usualConnectionCountry",
             ${ms('first_seen_at')} as "firstSeenMs", ${ms('last_seen_at')} as "lastSeenMs",
             active_days_before as "activeDaysBefore", active_days as "activeDays"
        from device_session_profile where user_id = any(${ids})`)
  const { rows: scores } = await db.execute(sql`
      select user_id as "userId", device_session_id as "deviceSessionId",
             observed_country as country, score, habit, recent_ms as "recentMs",
             ${ms('scored_at')} as "scoredAtMs", ${ms('first_seen_at')} as "firstSeenMs",
             ${ms('last_seen_at')} as "lastSeenMs"
        from device_session_country_score where user_id = any(${ids})`)
  for (const { userId, ...session } of sessions as unknown as SessionRow[]) {
    const profile = profiles.get(userId)!
    profile.sessions.set(session.deviceSessionId, { ...session, scores: [], dropped: new Set() })
  }
  for (const { userId, deviceSessionId, ...score } of scores as unknown as ScoreRow[]) {
    profiles.get(userId)?.sessions.get(deviceSessionId)?.scores.push(score)
  }
}

/** The counted ten-minute windows, by the name of the fact. */
export async function loadWindows(
  db: Database,
  keys: readonly FactKey[],
): Promise<Map<string, number>> {
  const { rows } = await db.execute<Row<FactKey & { windows: number }>>(sql`
    select user_id as "userId", device_session_id as "deviceSessionId",
           observed_country as "observedCountry", ${ms('hour')} as "hourMs", slots as windows
      from country_observation
      join unnest(
        ${texts(keys.map(({ userId }) => userId))},
        ${texts(keys.map(({ deviceSessionId }) => deviceSessionId))},
        ${texts(keys.map(({ observedCountry }) => observedCountry))},
        ${numbers(keys.map(({ hourMs }) => hourMs))}
      ) as key (user_id, device_session_id, observed_country, hour_ms)
     using (user_id, device_session_id, observed_country)
     where hour = to_timestamp(key.hour_ms / 1000)`)
  return new Map(rows.map((row) => [factName(row), row.windows]))
}

const FACTS_MAX = 100_000

/** A user's observed facts except those without a country, newest first if there are too many. */
export async function listFactsOf(db: Database, userId: string): Promise<Fact[]> {
  const { rows } = await db.execute<Row<Fact>>(sql`
    select user_id as "userId", device_session_id as "deviceSessionId",
           observed_country as "observedCountry", ${ms('hour')} as "hourMs", observations, slots as windows,
           ${ms('first_seen_at')} as "firstSeenMs", ${ms('last_seen_at')} as "lastSeenMs"
      from country_observation where user_id = ${userId} and observed_country <> 'ZZ'
     order by hour desc limit ${FACTS_MAX}`)
  return rows
}

/** The parts that can be rebuilt from the facts. */
export async function deleteProfilesOf(db: Database, userId: string): Promise<void> {
  await db.execute(sql`delete from device_session_country_score where user_id = ${userId}`)
  await db.execute(sql`delete from device_session_profile where user_id = ${userId}`)
}

export async function addFacts(db: Database, facts: readonly Fact[]): Promise<void> {
  await db.execute(sql`
    insert into country_observation as known (
      user_id, device_session_id, observed_country, hour, observations, slots, first_seen_at, last_seen_at
    )
    select user_id, device_session_id, observed_country, ${at('hour_ms')}, observations, slots,
           ${at('first_ms')}, ${at('last_ms')}
      from unnest(
        ${texts(facts.map(({ userId }) => userId))},
        ${texts(facts.map(({ deviceSessionId }) => deviceSessionId))},
        ${texts(facts.map(({ observedCountry }) => observedCountry))},
        ${numbers(facts.map(({ hourMs }) => hourMs))},
        ${plainArray(facts.map(({ observations }) => observations))}::int[],
        ${plainArray(facts.map(({ windows }) => windows))}::smallint[],
        ${numbers(facts.map(({ firstSeenMs }) => firstSeenMs))},
        ${numbers(facts.map(({ lastSeenMs }) => lastSeenMs))}
      ) as fact (
        user_id, device_session_id, observed_country, hour_ms, observations, slots, first_ms, last_ms
      )
        on conflict (user_id, device_session_id, hour, observed_country) do update
       set observations = known.observations + excluded.observations,
           slots = known.slots | excluded.slots,
           first_seen_at = least(known.first_seen_at, excluded.first_seen_at),
           last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at)`)
}

export interface ChangedSession {
  readonly userId: string
  readonly session: SessionProfile
}

export async function saveSessions(
  db: Database,
  changed: readonly ChangedSession[],
): Promise<void> {
  if (changed.length === 0) return
  const sessions = changed.map(({ session }) => session)
  await db.execute(sql`
    insert into device_session_profile (
      user_id, device_session_id, usual_connection_country, first_seen_at, last_seen_at,
      active_days_before, active_days
    )
    select user_id, device_session_id, usual, ${at('first_ms')}, ${at('last_ms')}, days_before, days
      from unnest(
        ${texts(changed.map(({ userId }) => userId))},
        ${texts(sessions.map(({ deviceSessionId }) => deviceSessionId))},
        ${plainArray(sessions.map((session) => session.usualConnectionCountry ?? undefined))}::text[],
        ${numbers(sessions.map(({ firstSeenMs }) => firstSeenMs))},
        ${numbers(sessions.map(({ lastSeenMs }) => lastSeenMs))},
        ${plainArray(sessions.map(({ activeDaysBefore }) => activeDaysBefore))}::int[],
        ${plainArray(sessions.map(({ activeDays }) => activeDays))}::int[]
      ) as session (user_id, device_session_id, usual, first_ms, last_ms, days_before, days)
        on conflict (user_id, device_session_id) do update
       set usual_connection_country = excluded.usual_connection_country,
           first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at,
           active_days = excluded.active_days`)
}

export interface ChangedScore {
  readonly userId: string
  readonly deviceSessionId: string
  readonly score: CountryScore
}

export async function saveScores(db: Database, changed: readonly ChangedScore[]): Promise<void> {
  if (changed.length === 0) return
  const scores = changed.map(({ score }) => score)
  await db.execute(sql`
    insert into device_session_country_score (
      user_id, device_session_id, observed_country, score, habit,
      scored_at, first_seen_at, last_seen_at, recent_ms
    )
    select user_id, device_session_id, country, score, habit,
           ${at('scored_ms')}, ${at('first_ms')}, ${at('last_ms')}, recent::float8[]
      from unnest(
        ${texts(changed.map(({ userId }) => userId))},
        ${texts(changed.map(({ deviceSessionId }) => deviceSessionId))},
        ${texts(scores.map(({ country }) => country))},
        ${numbers(scores.map(({ score }) => score))},
        ${numbers(scores.map(({ habit }) => habit))},
        ${numbers(scores.map(({ scoredAtMs }) => scoredAtMs))},
        ${numbers(scores.map(({ firstSeenMs }) => firstSeenMs))},
        ${numbers(scores.map(({ lastSeenMs }) => lastSeenMs))},
        ${texts(scores.map(({ recentMs }) => plainArray(recentMs)))}
      ) as score (
        user_id, device_session_id, country, score, habit, scored_ms, first_ms, last_ms, recent
      )
        on conflict (user_id, device_session_id, observed_country) do update
       set score = excluded.score, habit = excluded.habit, scored_at = excluded.scored_at,
           first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at,
           recent_ms = excluded.recent_ms`)
}

export async function deleteScores(
  db: Database,
  gone: readonly { userId: string; deviceSessionId: string; country: string }[],
): Promise<void> {
  if (gone.length === 0) return
  await db.execute(sql`
    delete from device_session_country_score score
     using unnest(
       ${texts(gone.map(({ userId }) => userId))},
       ${texts(gone.map(({ deviceSessionId }) => deviceSessionId))},
       ${texts(gone.map(({ country }) => country))}
     ) as gone (user_id, device_session_id, country)
     where score.user_id = gone.user_id and score.device_session_id = gone.device_session_id
       and score.observed_country = gone.country`)
}

/** Changes to the users themselves. Their reviews are saved separately. */
export async function saveUsers(
  db: Database,
  profiles: readonly UserProfile[],
  evaluatedAt: Date | null = null,
): Promise<void> {
  if (profiles.length === 0) return
  await db.execute(sql`
    update user_review_state known
       set first_seen_at = ${at('seen.first_ms')}, last_seen_at = ${at('seen.last_ms')},
           active_days = seen.active_days, slots_by_day = seen.slots::smallint[],
           last_evaluated_at = coalesce(${evaluatedAt}::timestamptz, last_evaluated_at)
      from unnest(
        ${texts(profiles.map(({ userId }) => userId))},
        ${numbers(profiles.map(({ firstSeenMs }) => firstSeenMs ?? 0))},
        ${numbers(profiles.map(({ lastSeenMs }) => lastSeenMs))},
        ${plainArray(profiles.map(({ activeDays }) => activeDays))}::int[],
        ${texts(profiles.map(({ windowsByDay }) => plainArray(windowsByDay)))}
      ) as seen (user_id, first_ms, last_ms, active_days, slots)
     where known.user_id = seen.user_id`)
}
