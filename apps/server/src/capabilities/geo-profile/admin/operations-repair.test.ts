import { expect, test } from 'vitest'
import { SILENT_OBSERVER } from '../ingest/observer.ts'
import { sql } from 'drizzle-orm'
import {
  compareCountries,
  rankAnew,
  reviewEverybody,
  reviewIfChanged,
} from './operations-repair.ts'
import { REVIEW_RULE } from '../review/review.ts'
import { saveDeclaredCountry } from '../review/store-reviews.ts'
import { deviceSessionCountryScore, deviceSessionProfile, userReviewState } from '../tables.ts'
import { listVersions } from '../declared/store-versions.ts'
import { geoWorld } from '../testing.ts'

const users = {
  findUser: async () => ({ declaredCountry: 'DE' }),
  syncDeclaredCountry: async () => 'synced' as const,
}
const progress = () => {}

/** Thirty days in France, whatever is declared. */
async function monthAbroad() {
  const geo = await geoWorld()
  for (let day = 0; day < 30; day++) {
    geo.clock.moveTo(new Date(Date.UTC(2030, 2, 1 + day, 12)).toISOString())
    for (let window = 0; window < 3; window++) {
      await geo.see('user-1', 'phone', 'FR')
      geo.clock.advance(600)
    }
  }
  await geo.processAll()
  return { ...geo, users, progress, observer: SILENT_OBSERVER }
}

test('stage 21: ranks rebuilt from the facts equal the ranks before', async () => {
  const deps = await monthAbroad()
  const [before] = await deps.db.select().from(deviceSessionCountryScore)
  const [session] = await deps.db.select().from(deviceSessionProfile)
  await deps.db.delete(deviceSessionCountryScore)
  await deps.db.delete(deviceSessionProfile)

  expect(await rankAnew(deps)).toEqual({ users: 1 })

  const [after] = await deps.db.select().from(deviceSessionCountryScore)
  expect(after!.score / before!.score).toBeCloseTo(1, 2)
  expect(await deps.db.select().from(deviceSessionProfile)).toMatchObject([
    { usualConnectionCountry: 'FR', activeDays: session!.activeDays },
  ])
})

test('stage 10: the review rule can be run again for all users', async () => {
  const deps = await monthAbroad()
  const now = deps.clock.now()
  await saveDeclaredCountry(deps.db, { userId: 'user-1', country: 'DE', now })

  await reviewEverybody(deps)

  expect(await deps.db.select().from(userReviewState)).toMatchObject([
    { countryReviewRecommended: true },
  ])
})

test('stage 10: a changed rule is run again for all users, once, and notifies nobody twice', async () => {
  const deps = await monthAbroad()
  const { signal } = new AbortController()
  const now = deps.clock.now()
  await saveDeclaredCountry(deps.db, { userId: 'user-1', country: 'DE', now })
  const strict = { ...deps, reviewRule: { ...REVIEW_RULE, evidenceDaysMin: 31 } }
  const state = async () => (await deps.db.select().from(userReviewState))[0]

  expect(await reviewIfChanged(strict, signal)).toEqual({ users: 1 })
  expect(await state()).toMatchObject({ countryReviewRecommended: false })
  expect(await reviewIfChanged(strict, signal)).toBeUndefined()

  expect(await reviewIfChanged(deps, signal)).toEqual({ users: 1 })
  expect(await state()).toMatchObject({ countryReviewRecommended: true, transitionSeq: 1 })
  await reviewIfChanged(strict, signal)
  await reviewIfChanged(deps, signal)
  const { rows } = await deps.db.execute(sql`select 1 from outbox where type like 'geo.%'`)
  expect(rows).toHaveLength(1)
})

test('stage 15: a copy that differs from the User Service is found and corrected', async () => {
  const deps = await monthAbroad()
  const now = deps.clock.now()
  await saveDeclaredCountry(deps.db, { userId: 'user-1', country: 'GB', now })

  expect(await compareCountries(deps)).toEqual({ users: 1, differed: 1, unanswered: 0 })
  expect(await compareCountries(deps)).toEqual({ users: 1, differed: 0, unanswered: 0 })
  expect(await listVersions(deps.db, 'user-1')).toMatchObject([
    { country: 'DE', state: 'applied', actorId: 'repair-geo', reasonCode: 'user_service_differs' },
  ])
})

test('stage 15: a user for whom the User Service fails does not stop the comparison', async () => {
  const deps = await monthAbroad()
  const now = deps.clock.now()
  for (const userId of ['user-0', 'user-1']) {
    await saveDeclaredCountry(deps.db, { userId, country: 'GB', now })
  }
  const findUser = async (userId: string) => {
    if (userId === 'user-0') throw new Error('users.example answered 500')
    return { declaredCountry: 'DE' }
  }

  const compared = await compareCountries({ ...deps, users: { ...users, findUser } })

  expect(compared).toEqual({ users: 2, differed: 1, unanswered: 1 })
})
