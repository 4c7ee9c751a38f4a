import { DAY_SECONDS } from '@placard/calendar'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addUser, signInAs } from '../../../testing/server.ts'
import { SILENT_OBSERVER } from '../ingest/observer.ts'
import { processObservations } from '../ingest/operations-process.ts'
import { addObservations } from '../ingest/store-queue.ts'
import { SUSPICION_PROFILES } from '../profile/suspicion.ts'
import { saveDeclaredCountry, saveTransition } from '../review/store-reviews.ts'
import { addressIn, testCountries } from '../testing.ts'
import { trustDesk } from './testing-desk.ts'

async function watched() {
  const desk = await trustDesk()
  const { deps } = desk
  const { publicId: userId } = await addUser(deps, 'advertiser')
  await saveDeclaredCountry(deps.db, { userId, country: 'DE', now: deps.clock.now() })
  const see = async (deviceSessionId: string, country: string, times = 2) => {
    const note = { userId, deviceSessionId, ipAddress: addressIn(country) }
    for (let window = 0; window < times; window++) {
      const at = deps.clock.now()
      await addObservations(deps.db, [note], { at, switchName: 'geo-profile.ingest' })
      deps.clock.advance(600)
    }
  }
  const processAll = () =>
    processObservations({
      ...deps,
      countries: testCountries,
      rule: SUSPICION_PROFILES.standard,
      observer: SILENT_OBSERVER,
      batchMax: 1_000,
    })
  const profile = async () => {
    // The days that passed have ended the first sign-in.
    const { headers } = await signInAs(desk, desk.trustEmail)
    const url = `/api/v1/internal/users/${userId}/geo-profile`
    return (await desk.http.inject({ url, headers })).json()
  }
  return { ...desk, userId, see, processAll, profile }
}

test('a profile shows the current evidence, beside that of the transition', async () => {
  const { deps, userId, see, processAll, profile } = await watched()
  const evidence = {
    candidateCountry: 'FR',
    declaredShare: 0.01,
    candidateShare: 0.97,
    evidenceDays: 22,
    evidenceSlots: 80,
  }
  const reasonCode = 'declared_country_unused'
  const now = deps.clock.now()
  await saveTransition(deps.db, { userId, isRecommended: true, reasonCode, evidence, now })
  await see('phone', 'DE', 2)
  await see('phone', 'VN', 6)
  await processAll()

  const { review } = await profile()

  expect(review.evidence).toMatchObject({ candidate_country: 'FR', evidence_days: 22 })
  expect(review.evidence_now).toMatchObject({ candidate_country: 'VN', evidence_days: 1 })
  expect(review.evidence_now.declared_share).toBeCloseTo(1 / 4)
  expect(review.evidence_now.candidate_share).toBeCloseTo(3 / 4)
})

test('a session is listed day by day, so travel back and forth is not one country for a month', async () => {
  const { deps, see, processAll, profile } = await watched()
  for (const country of ['DE', 'FR', 'DE', 'FR']) {
    await see('phone', country)
    deps.clock.advance(DAY_SECONDS - 1_200)
  }
  await processAll()

  const [phone] = (await profile()).sessions

  expect(phone.days.map((day: { observed_country: string }) => day.observed_country)).toEqual([
    'FR',
    'DE',
    'FR',
    'DE',
  ])
})

test('a session without any known country is listed', async () => {
  const { see, processAll, profile } = await watched()
  await see('tablet', 'nowhere')
  await processAll()

  expect((await profile()).sessions).toMatchObject([
    {
      device_session_id: 'tablet',
      usual_connection_country: null,
      ranked_countries: [],
      observations_30_days: [{ observed_country: 'ZZ', observations: 2 }],
    },
  ])
})

test('each ground of a suspicion is listed with its figure and the rule’s limit', async () => {
  const { deps, see, processAll, profile } = await watched()
  for (let day = 0; day < 21; day++) {
    const startedAt = deps.clock.now().getTime()
    await see('phone', 'DE', 3)
    if (day >= 16) await see('thief', 'VN', 3)
    deps.clock.moveTo(new Date(startedAt + DAY_SECONDS * 1_000).toISOString())
  }
  await processAll()

  const [{ evidence }] = (await profile()).block_actions
  const found = Object.fromEntries(
    evidence.grounds.map((ground: { name: string; found: number }) => [ground.name, ground.found]),
  )
  expect(found).toMatchObject({
    seen_in_window: expect.any(Number),
    share_at_home: 0,
    account_active_days_before: 17,
    account_days_before: expect.closeTo(16, 0),
    active_days: 5,
    share_in_country: 1,
    share_of_other_sessions: 0,
  })
  expect(evidence.grounds).toContainEqual({ name: 'active_days', found: 5, limit: 4 })
  expect(evidence.grounds).toHaveLength(10)
})

test('a failed observation shows its reason in words, never a statement with its values', async () => {
  const { deps, http } = await watched()
  const { email } = await addUser(deps, 'operator')
  const { headers } = await signInAs({ http }, email)
  await deps.db.execute(sql`
    insert into observation_queue
      (user_id, device_session_id, state, attempts, available_at, created_at, settled_at, last_error)
    values ('u', 's', 'failed', 8, now(), now(), now(),
            'Failed query: insert into country_observation values ($1) params: secret')`)

  const url = '/api/v1/internal/observations/dead-letters'
  const { items } = (await http.inject({ url, headers })).json()

  expect(items).toMatchObject([{ reason: 'The database refused the data.' }])
})
