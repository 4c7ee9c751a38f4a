import { describe, expect, test } from 'vitest'
import {
  type AccountBooks,
  type Books,
  type ClientLog,
  countPlantedCaught,
  judge,
  type Showing,
} from './checker.ts'

const account: AccountBooks = {
  limitMicros: 100n,
  spentMicros: 99n,
  remainderMillis: 500n,
  leasedMicros: 0n,
  leasesMicros: 0n,
  entriesMicros: 99n,
  eventMillis: 99_500n,
}
/** An impression that took a second to decide and was durable a second later. */
const shownAt = (second: number, overrides: Partial<Showing> = {}): Showing => ({
  readerAndAd: 'reader ad',
  isHeld: true,
  startMs: second * 1_000,
  endMs: second * 1_000 + 1_000,
  acknowledgedMs: second * 1_000 + 2_000,
  ...overrides,
})
const log: ClientLog = {
  events: new Map([
    ['a', true],
    ['b', true],
    ['never answered', false],
  ]),
  showings: [shownAt(0), shownAt(1)],
  capMax: 2,
  losses: [],
  outages: [],
}
const books: Books = {
  stored: new Map([
    ['a', 1],
    ['b', 1],
  ]),
  rows: 2,
  delivered: 2,
  accounts: [account],
  unsettled: 0,
  cronRuns: [1, 1],
  atRest: { reservations: 0, strandedMicros: 0 },
}
const withAccount = (overrides: Partial<AccountBooks>) =>
  judge(log, { ...books, accounts: [{ ...account, ...overrides }] })

test('correct books have no faults, and every planted fault is found', () => {
  const clean = {
    acknowledged: 2,
    counted: 2,
    lost: 0,
    double: 0,
    unexplained: 0,
    overspentMicros: 0,
    ledgerDifferenceMicros: 0,
    leakedReservations: 0,
    capsPassed: 0,
    uncounted: 0,
    strandedMicros: 0,
    cronMissed: 0,
    cronDouble: 0,
  }
  expect(judge(log, books)).toEqual(clean)
  expect(countPlantedCaught(log, books)).toBe(3)
})

test('an acknowledged event that is not stored is lost', () => {
  expect(judge(log, { ...books, stored: new Map([['a', 1]]) }).lost).toBe(1)
})

test('an event without an answer may be stored or not', () => {
  const stored = new Map([...books.stored, ['never answered', 1] as const])

  expect(judge(log, { ...books, stored, rows: 3, delivered: 3 })).toMatchObject({
    lost: 0,
    double: 0,
    unexplained: 0,
  })
})

test('an event is double when it is stored or summed twice', () => {
  expect(judge(log, { ...books, stored: new Map([...books.stored, ['a', 2]]) }).double).toBe(1)
  expect(judge(log, { ...books, delivered: 3 }).double).toBe(1)
})

test('an event that nobody sent is unexplained', () => {
  const stored = new Map([...books.stored, ['ghost', 1] as const])

  expect(judge(log, { ...books, stored }).unexplained).toBe(1)
})

test('overspending is found in the ledger account or in its events, to the micro', () => {
  expect(withAccount({ spentMicros: 101n }).overspentMicros).toBe(1)
  expect(withAccount({ eventMillis: 100_001n }).overspentMicros).toBe(1)
  expect(withAccount({ limitMicros: undefined }).overspentMicros).toBe(0)
})

test('a difference of a thousandth of a micro between account, entries and events is found', () => {
  expect(withAccount({ entriesMicros: 98n }).ledgerDifferenceMicros).toBe(1)
  expect(withAccount({ eventMillis: 99_499n }).ledgerDifferenceMicros).toBe(1)
  expect(withAccount({ entriesMicros: undefined }).ledgerDifferenceMicros).toBe(0)
})

test('money set aside without a lease is leaked', () => {
  expect(withAccount({ leasedMicros: 1n }).leakedReservations).toBe(1)
  expect(withAccount({ leasedMicros: 1n, leasesMicros: 1n }).leakedReservations).toBe(0)
})

test('reservations after the end, and money stranded with a dead node, are found', () => {
  const atRest = { reservations: 2, strandedMicros: 5 }

  expect(judge(log, { ...books, atRest })).toMatchObject({
    leakedReservations: 2,
    strandedMicros: 5,
  })
})

test('jobs that ran twice or never are counted', () => {
  expect(judge(log, { ...books, cronRuns: [1, 0, 2] })).toMatchObject({
    cronMissed: 1,
    cronDouble: 1,
  })
})

describe('a cap', () => {
  const passed = (showings: readonly Showing[], overrides: Partial<ClientLog> = {}) =>
    judge({ ...log, showings, ...overrides }, books).capsPassed

  test('is exceeded by one impression too many, even if all were requested at once', () => {
    expect(passed([shownAt(0), shownAt(1), shownAt(2)])).toBe(1)
    expect(passed([shownAt(0), shownAt(0), shownAt(0), shownAt(0)])).toBe(2)
    expect(passed([shownAt(0), shownAt(1), shownAt(2, { readerAndAd: 'other ad' })])).toBe(0)
  })

  test('is not exceeded by impressions that were forgotten before they settled', () => {
    const all = [shownAt(0), shownAt(1), shownAt(3)]

    expect(passed(all, { losses: [{ fromMs: 0, toMs: 2_500 }] })).toBe(0)
    expect(passed([...all, shownAt(4), shownAt(5)], { losses: [{ fromMs: 0, toMs: 2_500 }] })).toBe(
      1,
    )
  })

  test('is exceeded by one impression too many if only later ones were forgotten', () => {
    const all = [shownAt(0), shownAt(1), shownAt(8)]

    expect(passed(all, { losses: [{ fromMs: 5_000, toMs: 7_000 }] })).toBe(1)
  })

  test('is exceeded even after a loss, if the impressions were durable long before', () => {
    const all = [shownAt(0), shownAt(1), shownAt(60)]

    expect(passed(all, { losses: [{ fromMs: 0, toMs: 50_000 }] })).toBe(1)
  })

  test('that was ignored is reported, unless the counters were unavailable', () => {
    const showings = [shownAt(5, { isHeld: false })]
    const outage = { fromMs: 4_000, toMs: 5_500 }

    expect(judge({ ...log, showings }, books).uncounted).toBe(1)
    expect(judge({ ...log, showings, outages: [outage] }, books).uncounted).toBe(0)
  })
})
