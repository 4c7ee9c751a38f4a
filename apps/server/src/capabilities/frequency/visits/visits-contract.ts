import { DAY_SECONDS } from '@placard/calendar'
import { describe, expect, test } from 'vitest'
import { fixedClock, type MovableClock } from '../../../testing/fixed.ts'
import { NOTED_EVERY_DAYS, REMEMBERED_DAYS, type VisitRow, type Visits } from './visits.ts'

export interface VisitsTerms {
  readonly clock: MovableClock
  readonly readersMax: number
  note(row: VisitRow): void
}

/** Visits of nobody yet. */
export type OpenVisits = (terms: VisitsTerms) => Visits

const [GAZETTE, TRIBUNE] = [1, 2]
/** As user keys are: spread evenly by their first character. */
const keyOf = (at: number) => `${String.fromCodePoint(48 + (at % 64))}reader-${at}`

const visitor = (userKey: string, publisherKey = GAZETTE) => ({ userKey, publisherKey })

function world(open: OpenVisits) {
  const clock = fixedClock()
  const noted: VisitRow[] = []
  const visits = open({ clock, readersMax: 1_280, note: (row) => void noted.push(row) })
  const seconds = () => Math.floor(clock.now().getTime() / 1_000)
  return {
    clock,
    noted,
    visits,
    seconds,
    pass: (days: number) => clock.advance(days * DAY_SECONDS),
    /** How many seconds ago the reader came first. */
    knownFor: async (userKey: string, { publisherKey = GAZETTE, isDry = false } = {}) => {
      const firstMs = await visits.see(visitor(userKey, publisherKey), isDry)
      return seconds() - firstMs! / 1_000
    },
  }
}

const groups = {
  'a first visit': firstRules,
  'the memory of a visit': memoryRules,
  'the bound': boundRules,
}

/** What every adapter of the visits port must do. Each adapter's test runs this one suite. */
export function visitsContract(adapter: string, open: OpenVisits): void {
  for (const [group, rules] of Object.entries(groups)) {
    describe(`${adapter}: ${group}`, () => {
      rules(open)
    })
  }
}

function firstRules(open: OpenVisits): void {
  test('is now for a newcomer, and stays when the reader comes back', async () => {
    const { clock, knownFor } = world(open)

    expect(await knownFor('anna')).toBe(0)
    clock.advance(90)
    expect(await knownFor('anna')).toBe(90)
    expect(await knownFor('bob')).toBe(0)
  })

  test('is of one publisher', async () => {
    const { clock, knownFor } = world(open)
    await knownFor('anna')
    clock.advance(90)

    expect(await knownFor('anna', { publisherKey: TRIBUNE })).toBe(0)
    expect(await knownFor('anna')).toBe(90)
  })

  test('does not happen while nobody may be there, and such a request changes nothing', async () => {
    const { clock, noted, knownFor } = world(open)

    expect(await knownFor('anna', { isDry: true })).toBe(0)
    clock.advance(90)
    expect(await knownFor('anna')).toBe(0)
    expect(noted).toHaveLength(1)
  })

  test('of many readers at once is told to each', async () => {
    const { clock, knownFor } = world(open)
    const readers = Array.from({ length: 200 }, (_, i) => keyOf(i))
    await Promise.all(readers.slice(0, 100).map((userKey) => knownFor(userKey)))
    clock.advance(7)

    const known = await Promise.all(readers.map((userKey) => knownFor(userKey)))

    expect(known).toEqual(readers.map((_, i) => (i < 100 ? 7 : 0)))
  })
}

function memoryRules(open: OpenVisits): void {
  test('lasts as long as the reader comes back within sixty days', async () => {
    const { pass, knownFor } = world(open)
    await knownFor('anna')
    for (let visit = 0; visit < 10; visit++) {
      pass(REMEMBERED_DAYS - NOTED_EVERY_DAYS)
      await knownFor('anna')
    }
    expect(await knownFor('anna')).toBe(530 * DAY_SECONDS)

    pass(REMEMBERED_DAYS + 1)
    expect(await knownFor('anna')).toBe(0)
  })

  test('is written to the database once, and once a week that the reader still comes', async () => {
    const { noted, seconds, pass, knownFor } = world(open)
    const firstSeconds = seconds()
    const today = Math.floor(firstSeconds / DAY_SECONDS)
    for (let day = 0; day < 15; day++) {
      await knownFor('anna')
      pass(1)
    }

    const row = { userKey: 'anna', publisherKey: GAZETTE, firstSeconds }
    expect(noted).toEqual([0, 7, 14].map((days) => ({ ...row, seenDay: today + days })))
  })

  test('ends when the reader is forgotten, and others’ go on', async () => {
    const { clock, visits, knownFor } = world(open)
    await knownFor('anna')
    await knownFor('bob')
    clock.advance(90)

    await visits.forget(visitor('anna'))
    await visits.forget(visitor('nobody'))

    expect(await knownFor('anna')).toBe(0)
    expect(await knownFor('bob')).toBe(90)
  })

  test('that the database knows is restored, and never becomes later', async () => {
    const { visits, noted, seconds, knownFor } = world(open)
    await knownFor('came while it was read')
    const seenDay = Math.floor(seconds() / DAY_SECONDS)
    const at = (userKey: string, secondsAgo: number) => ({
      ...visitor(userKey),
      firstSeconds: seconds() - secondsAgo,
      seenDay,
    })
    await visits.restore([at('anna', 500), at('came while it was read', 300), at('anna', 100)])

    expect(await knownFor('anna')).toBe(500)
    expect(await knownFor('came while it was read')).toBe(300)
    expect(noted).toHaveLength(1)
  })
}

function boundRules(open: OpenVisits): void {
  test('drops who was away longest; whoever keeps coming stays, and so do another publisher’s', async () => {
    const { clock, knownFor } = world(open)
    const others = Array.from({ length: 64 }, (_, i) => keyOf(i))
    for (const userKey of others) await knownFor(userKey, { publisherKey: TRIBUNE })
    await knownFor('came once')
    await knownFor('keeps coming')
    clock.advance(60)
    for (let hundred = 0; hundred < 50; hundred++) {
      const newcomers = Array.from({ length: 100 }, (_, i) => keyOf(hundred * 100 + i + 1_000))
      await Promise.all(newcomers.map((userKey) => knownFor(userKey)))
      await knownFor('keeps coming')
    }

    expect(await knownFor('keeps coming')).toBe(60)
    expect(await knownFor('came once')).toBe(0)
    for (const userKey of others) {
      expect(await knownFor(userKey, { publisherKey: TRIBUNE })).toBe(60)
    }
  })
}
