import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { claimObservations } from './store-queue.ts'
import { processObservations } from './operations-process.ts'
import { addressIn, geoWorld, testCountries, type GeoWorld } from '../testing.ts'
import { countryObservation, deviceSessionCountryScore, observationQueue } from '../tables.ts'
import { until } from '../../../testing/until.ts'

const NOON = '2030-03-01T12:00:00Z'

async function world(...given: Parameters<typeof geoWorld>): Promise<GeoWorld> {
  const made = await geoWorld(...given)
  made.clock.moveTo(NOON)
  return made
}

test('stage 07: an accepted observation becomes an hourly fact, and its address is erased', async () => {
  const geo = await world()
  await geo.see('user-1', 'device-session-1', 'DE')
  geo.clock.advance(60)
  await geo.see('user-1', 'device-session-1', 'DE')

  await geo.processAll()

  expect(await geo.db.select().from(countryObservation)).toMatchObject([
    { userId: 'user-1', observedCountry: 'DE', observations: 2, windows: 1 },
  ])
  const rows = await geo.db.select().from(observationQueue)
  expect(rows.map(({ state, ipAddress }) => [state, ipAddress])).toEqual([
    ['processed', null],
    ['processed', null],
  ])
})

test('stage 06: an address without a country is stored as ZZ, counted, and never ranked', async () => {
  let misses = 0
  const geo = await world({ lookupMissed: () => misses++ })
  await geo.see('user-1', 'device-session-1', 'nowhere')

  await geo.processAll()

  expect(await geo.db.select().from(countryObservation)).toMatchObject([{ observedCountry: 'ZZ' }])
  expect(await geo.db.$count(deviceSessionCountryScore)).toBe(0)
  expect(misses).toBe(1)
})

test('stage 08: a session has one ranked row per country, updated in place', async () => {
  const geo = await world()
  for (const country of ['DE', 'DE', 'FR']) {
    await geo.see('user-1', 'device-session-1', country)
    await geo.processAll()
    geo.clock.advance(600)
  }

  const scores = await geo.db.select().from(deviceSessionCountryScore)

  expect(scores.map(({ observedCountry, score }) => [observedCountry, Math.round(score)])).toEqual([
    ['DE', 2],
    ['FR', 1],
  ])
})

test('a window counted in an earlier batch is not counted again', async () => {
  const geo = await world()
  for (let i = 0; i < 3; i++) {
    await geo.see('user-1', 'device-session-1', 'DE')
    await geo.processAll()
    geo.clock.advance(60)
  }

  const [score] = await geo.db.select().from(deviceSessionCountryScore)
  expect(score?.score).toBe(1)
})

test('stage 05: another worker takes over a dead worker’s observations when its lease ends', async () => {
  const geo = await world()
  await geo.see('user-1', 'device-session-1', 'DE')
  const now = geo.clock.now()
  await claimObservations(geo.db, { limit: 10, now, leaseUntil: new Date(now.getTime() + 60_000) })

  expect(await processObservations(geo)).toBe(0)
  geo.clock.advance(61)
  expect(await processObservations(geo)).toBe(1)

  expect(await geo.db.select().from(countryObservation)).toMatchObject([{ observations: 1 }])
})

test('once another worker took over, the slow one cannot count its observations', async () => {
  const geo = await world()
  await geo.see('user-1', 'device-session-1', 'DE')
  const takesOver = {
    countryOf: (address: string | undefined) => testCountries.countryOf(address),
  }
  const now = geo.clock.now()
  const lease = { limit: 10, now, leaseUntil: new Date(now.getTime() + 60_000) }
  await claimObservations(geo.db, lease)
  geo.clock.advance(61)

  await Promise.all([
    processObservations({ ...geo, countries: takesOver }),
    processObservations({ ...geo, countries: takesOver }),
  ])

  expect(await geo.db.select().from(countryObservation)).toMatchObject([{ observations: 1 }])
})

test('stage 20, queue retry: a failing observation is tried later and affects no other in its batch', async () => {
  const outcomes: string[] = []
  const geo = await world({ failed: (how) => outcomes.push(how) })
  await geo.see('user-1', 'device-session-1', 'DE')
  await geo.see('user-2', 'device-session-2', 'FR')
  const countries = {
    countryOf(address: string | undefined) {
      if (address?.startsWith('33')) throw new Error('the file is broken')
      return testCountries.countryOf(address)
    },
  }

  await processObservations({ ...geo, countries })

  expect(await geo.db.select().from(countryObservation)).toMatchObject([{ userId: 'user-1' }])
  const [waiting] = await geo.db
    .select()
    .from(observationQueue)
    .where(sql`state = 'accepted'`)
  expect(waiting).toMatchObject({ userId: 'user-2', attempts: 1, lastError: 'the file is broken' })
  expect(waiting!.availableAt.getTime()).toBeGreaterThan(geo.clock.now().getTime())
  expect(outcomes).toEqual(['retry'])
})

test('an observation is a dead letter after eight attempts', async () => {
  const outcomes: string[] = []
  const geo = await world({ failed: (how) => outcomes.push(how) })
  await geo.see('user-1', 'device-session-1', 'DE')
  const countries = {
    countryOf(): string {
      throw new Error('the file is broken')
    },
  }
  for (let i = 0; i < 8; i++) {
    await processObservations({ ...geo, countries })
    geo.clock.advance(600)
  }

  expect(await geo.db.select().from(observationQueue)).toMatchObject([
    { state: 'failed', attempts: 8 },
  ])
  expect(outcomes.at(-1)).toBe('dead')
  expect(await processObservations(geo)).toBe(0)
})

test('two workers in parallel count every observation of a user once', async () => {
  const geo = await world()
  for (let i = 0; i < 40; i++) {
    await geo.see('user-1', `device-session-${i % 3}`, 'DE')
    geo.clock.advance(30)
  }

  const small = { ...geo, batchMax: 5 }
  const drain = () =>
    until('the queue is empty', async () => (await processObservations(small)) === 0)
  await Promise.all([drain(), drain(), drain()])

  const facts = await geo.db.select().from(countryObservation)
  expect(facts.reduce((sum, { observations }) => sum + observations, 0)).toBe(40)
  const scores = await geo.db.select().from(deviceSessionCountryScore)
  expect(Math.round(scores.reduce((sum, { score }) => sum + score, 0))).toBe(6)
})

test('with ranking switched off, facts are stored and nothing is ranked', async () => {
  const geo = await world()
  await geo.db.execute(sql`
    insert into switches (name, is_on, note, version, updated_at)
    values ('geo-profile.ranking', false, '', 1, now())`)
  await geo.see('user-1', 'device-session-1', 'DE')

  await geo.processAll()

  expect(await geo.db.$count(countryObservation)).toBe(1)
  expect(await geo.db.$count(deviceSessionCountryScore)).toBe(0)
})

test('the addresses in these tests have the countries they stand for', () => {
  expect(testCountries.countryOf([...addressIn('FR')].join('.'))).toBe('FR')
})
