import { DAY_MS } from '@placard/calendar'
import type { Pool } from 'pg'
import {
  SILENT_OBSERVER,
  SUSPICION_PROFILES,
} from '../../apps/server/src/capabilities/geo-profile/index.ts'
import { processObservations } from '../../apps/server/src/capabilities/geo-profile/ingest/operations-process.ts'
import { addObservations } from '../../apps/server/src/capabilities/geo-profile/ingest/store-queue.ts'
import { systemRandom } from '../../apps/server/src/platform/random.ts'
import type { Database } from '../../apps/server/src/platform/database/connect.ts'
import { openCountries } from '../../apps/server/src/platform/geo-ip/countries.ts'
import { idsFrom } from '../../apps/server/src/platform/ids.ts'
import { cpuSecondsOfTree } from '../cpu.ts'
import { median, rounded } from '../scratch.ts'
import { until } from '../../apps/server/src/testing/until.ts'

const WINDOWS = 5
const PER_WINDOW = 20_000
const SMALL = 1_000
const LARGE = 1_000_000
const SESSIONS_EACH = 2
/** As many as the small world has users. */
const BATCH = SMALL / SESSIONS_EACH
const START = Date.UTC(2030, 0, 1)

interface Window {
  readonly perSecond: number
  readonly cpuMicros: number
}

/** One worker with a full queue, with 1,000 known sessions and with a million. */
export async function measureProcessing(
  { db, pool }: { db: Database; pool: Pool },
  say: (text: string) => void,
) {
  const small = await measureAt({ db, pool }, SMALL, say)
  const large = await measureAt({ db, pool }, LARGE, say)
  return {
    observationsPerSecond: Math.round(median(large.map(({ perSecond }) => perSecond))),
    observationsPerSecondSmall: Math.round(median(small.map(({ perSecond }) => perSecond))),
    growthRatio: rounded(
      median(small.map(({ cpuMicros }) => cpuMicros)) /
        median(large.map(({ cpuMicros }) => cpuMicros)),
      3,
    ),
    cpuMicrosPerObservation: rounded(median(large.map(({ cpuMicros }) => cpuMicros))),
  }
}

async function measureAt(
  { db, pool }: { db: Database; pool: Pool },
  sessions: number,
  say: (text: string) => void,
): Promise<Window[]> {
  say(`${sessions} sessions are being created`)
  await makeSessions(pool, sessions)
  let nowMs = START + DAY_MS
  const clock = { now: () => new Date(nowMs) }
  const countries = await openCountries()
  const deps = {
    db,
    clock,
    random: systemRandom,
    ids: idsFrom({ clock, random: systemRandom }),
    countries,
    rule: SUSPICION_PROFILES.standard,
    observer: SILENT_OBSERVER,
    batchMax: BATCH,
  }
  const windows: Window[] = []
  const users = sessions / SESSIONS_EACH
  let next = 0
  for (let window = 0; window <= WINDOWS; window++) {
    for (let filled = 0; filled < PER_WINDOW; filled += BATCH) {
      nowMs += 660_000
      const observations = Array.from({ length: BATCH }, () =>
        observationOf((next++ * 7_919) % users),
      )
      await addObservations(db, observations, { at: clock.now(), switchName: 'geo-profile.ingest' })
    }
    const cpuBefore = cpuSecondsOfTree(process.pid)
    const begun = performance.now()
    await until('the queue is empty', async () => (await processObservations(deps)) === 0, {
      secondsMax: 600,
    })
    const seconds = (performance.now() - begun) / 1_000
    const cpuMicros = ((cpuSecondsOfTree(process.pid) - cpuBefore) * 1e6) / PER_WINDOW
    say(
      `${sessions} sessions: ${(PER_WINDOW / seconds).toFixed(0)}/s, ${cpuMicros.toFixed(0)} µs of CPU each`,
    )
    if (window > 0) windows.push({ perSecond: PER_WINDOW / seconds, cpuMicros })
  }
  return windows
}

/** One user after the other, so that a batch has as many users in both worlds and none twice. */
const observationOf = (user: number) => ({
  userId: `user-${user}`,
  deviceSessionId: `device-session-${user * SESSIONS_EACH}`,
  ipAddress: Uint8Array.of(80, 100 + (user % 50), user & 255, 1),
})

async function makeSessions(pool: Pool, sessions: number): Promise<void> {
  await pool.query(`truncate observation_queue, country_observation, device_session_profile,
    device_session_country_score, user_review_state`)
  const from = new Date(START)
  const users = Math.ceil(sessions / SESSIONS_EACH)
  await pool.query(
    `insert into user_review_state (user_id, declared_country, declared_country_known_at,
       first_seen_at, last_seen_at, active_days, slots_by_day)
     select 'user-' || i, 'DE', $2, $2, $2, 20, array_fill(3::smallint, array[20])
       from generate_series(0, $1 - 1) i`,
    [users, from],
  )
  await pool.query(
    `insert into device_session_profile
     select 'user-' || i / ${SESSIONS_EACH}, 'device-session-' || i, 'DE', $2, $2, 0, 20
       from generate_series(0, $1 - 1) i`,
    [sessions, from],
  )
  await pool.query(
    `insert into device_session_country_score
     select 'user-' || i / ${SESSIONS_EACH}, 'device-session-' || i, country, 5, 20, $2, $2, $2, '{}'
       from generate_series(0, $1 - 1) i, unnest('{DE,FR}'::text[]) country`,
    [sessions, from],
  )
  await pool.query('vacuum analyze')
}
