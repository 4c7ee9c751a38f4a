import { DAY_SECONDS } from '@placard/calendar'
import { expect, test } from 'vitest'
import { trimGeoProfileJob } from './jobs.ts'
import { claimObservations, eraseAddresses, requeueDead } from './ingest/store-queue.ts'
import { eraseUser } from './profile/store-retention.ts'
import {
  countryObservation,
  deviceSessionCountryScore,
  deviceSessionProfile,
  observationQueue,
} from './tables.ts'
import { geoWorld, type GeoWorld } from './testing.ts'

const context = {
  progress: () => {},
  signal: new AbortController().signal,
  log: { info: () => {}, warn: () => {}, error: () => {} },
}
const trim = (geo: GeoWorld) =>
  trimGeoProfileJob.run({}, { ...geo, observationRetentionDays: 90 }, context)

test('an address is erased after a day even if it was not processed, and then has no country', async () => {
  const geo = await geoWorld()
  await geo.see('user-1', 'phone', 'DE')
  geo.clock.advance(DAY_SECONDS + 1)

  await trim(geo)
  expect(await geo.db.select().from(observationQueue)).toMatchObject([
    { ipAddress: null, state: 'accepted' },
  ])
  await geo.processAll()

  expect(await geo.db.select().from(countryObservation)).toMatchObject([{ observedCountry: 'ZZ' }])
})

test('processed observations are deleted after a day, facts and faded scores after their time', async () => {
  const geo = await geoWorld()
  await geo.see('user-1', 'phone', 'DE')
  await geo.processAll()

  geo.clock.advance(2 * DAY_SECONDS)
  await trim(geo)
  expect(await geo.db.$count(observationQueue)).toBe(0)
  expect(await geo.db.$count(deviceSessionCountryScore)).toBe(1)
  geo.clock.advance(50 * DAY_SECONDS)
  await trim(geo)
  expect(await geo.db.$count(deviceSessionCountryScore)).toBe(0)
  expect(await geo.db.$count(countryObservation)).toBe(1)
  geo.clock.advance(40 * DAY_SECONDS)
  await trim(geo)
  expect(await geo.db.$count(countryObservation)).toBe(0)
  expect(await geo.db.$count(deviceSessionProfile)).toBe(0)
})

test('a requeued dead letter has all its attempts again', async () => {
  const geo = await geoWorld()
  await geo.see('user-1', 'phone', 'DE')
  await geo.db
    .update(observationQueue)
    .set({ state: 'failed', settledAt: geo.clock.now(), attempts: 8 })

  expect(await requeueDead(geo.db, geo.clock.now())).toBe(1)
  const now = geo.clock.now()
  const [claimed] = await claimObservations(geo.db, { limit: 1, now, leaseUntil: now })

  expect(claimed).toMatchObject({ userId: 'user-1', attempts: 1 })
  expect(await eraseAddresses(geo.db, now)).toBe(0)
})

test('an erased user leaves no observation behind', async () => {
  const geo = await geoWorld()
  await geo.see('user-1', 'phone', 'DE')
  await geo.see('user-2', 'phone', 'DE')
  await geo.processAll()

  await eraseUser(geo.db, 'user-1')

  const facts = await geo.db.select().from(countryObservation)
  expect(facts.map(({ userId }) => userId)).toEqual(['user-2'])
  expect(await geo.db.$count(deviceSessionProfile)).toBe(1)
})
