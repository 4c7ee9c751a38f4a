import { sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { SCORE_HALF_LIFE_MS } from './country-score.ts'

const AT_ONCE = 50_000
const SCORE_MIN = 0.01

/** Deletes facts before the instant, a limited number so that nothing waits for long. */
export async function deleteFacts(db: Database, before: Date): Promise<number> {
  const { rowCount } = await db.execute(sql`
    delete from country_observation where ctid in (
      select ctid from country_observation where hour < ${before} limit ${AT_ONCE}
    )`)
  return rowCount ?? 0
}

/** Deletes scores that have faded since their last change, and sessions not seen for long. */
export async function deleteFaded(
  db: Database,
  { now, unseenSince }: { now: Date; unseenSince: Date },
): Promise<number> {
  const halfLifeSeconds = SCORE_HALF_LIFE_MS / 1_000
  const scores = await db.execute(sql`
    delete from device_session_country_score where ctid in (
      select ctid from device_session_country_score
       where last_seen_at < ${unseenSince}
          or score * power(2, -extract(epoch from ${now}::timestamptz - scored_at)::float8
                              / ${halfLifeSeconds}::float8) < ${SCORE_MIN}::float8
       limit ${AT_ONCE}
    )`)
  const sessions = await db.execute(sql`
    delete from device_session_profile where ctid in (
      select ctid from device_session_profile where last_seen_at < ${unseenSince} limit ${AT_ONCE}
    )`)
  return (scores.rowCount ?? 0) + (sessions.rowCount ?? 0)
}

/** Deletes everything about a user except who changed the declared country, and why. */
export async function eraseUser(db: Database, userId: string): Promise<void> {
  await db.execute(sql`delete from observation_queue where user_id = ${userId}`)
  await db.execute(sql`delete from country_observation where user_id = ${userId}`)
  await db.execute(sql`delete from device_session_country_score where user_id = ${userId}`)
  await db.execute(sql`delete from device_session_profile where user_id = ${userId}`)
  await db.execute(sql`delete from session_block_action where user_id = ${userId}`)
  await db.execute(sql`delete from geo_decision where user_id = ${userId}`)
  await db.execute(sql`
    update user_review_state
       set country_review_recommended = false, reason_code = null, since = null, evidence = null,
           first_seen_at = null, last_seen_at = null, active_days = 0, slots_by_day = '{}'
     where user_id = ${userId}`)
}
