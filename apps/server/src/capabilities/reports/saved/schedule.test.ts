import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daysOf, nextDue, type Schedule } from './schedule.ts'

const next = (schedule: Partial<Schedule>, after: string) =>
  nextDue({ every: 'day', atHour: 6, timeZone: 'UTC', ...schedule }, new Date(after)).toISOString()

test('a report is due at its hour by the clock of its zone', () => {
  expect(next({}, '2026-06-15T05:59:00Z')).toBe('2026-06-15T06:00:00.000Z')
  expect(next({}, '2026-06-15T06:00:00Z')).toBe('2026-06-16T06:00:00.000Z')
  expect(next({ timeZone: 'Asia/Kathmandu' }, '2026-06-15T00:00:00Z')).toBe(
    '2026-06-15T00:15:00.000Z',
  )
})

test('a weekly report is due on Mondays, a monthly one on the first', () => {
  expect(next({ every: 'week' }, '2026-06-15T07:00:00Z')).toBe('2026-06-22T06:00:00.000Z')
  expect(next({ every: 'month' }, '2026-06-01T06:00:00Z')).toBe('2026-07-01T06:00:00.000Z')
  expect(next({ every: 'month', atHour: 0 }, '2026-12-31T23:50:00Z')).toBe(
    '2027-01-01T00:00:00.000Z',
  )
})

test('an hour that a clock change skips moves to the next one, a repeated hour counts once', () => {
  const berlin = { timeZone: 'Europe/Berlin', atHour: 2 }
  expect(next(berlin, '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z')
  expect(next(berlin, '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:00:00.000Z')
  expect(next(berlin, '2026-10-25T00:00:00Z')).toBe('2026-10-26T01:00:00.000Z')
})

test('in every zone and at every hour, there is one report per day of a year', () => {
  const zones = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
  )
  fc.assert(
    fc.property(zones, fc.integer({ min: 0, max: 23 }), (timeZone, atHour) => {
      let at = new Date('2025-12-31T00:00:00Z')
      let sent = 0
      for (; at < new Date('2027-01-01T00:00:00Z'); sent++) {
        at = nextDue({ every: 'day', atHour, timeZone }, at)
      }
      expect(Math.abs(sent - 367)).toBeLessThanOrEqual(1)
    }),
    { numRuns: 10 },
  )
})

test('a period consists of whole days of the zone', () => {
  const at = new Date('2026-03-01T20:00:00Z')
  const utc = { at, timeZone: 'UTC' }
  expect(daysOf('today', utc)).toEqual({ from: '2026-03-01', to: '2026-03-01' })
  expect(daysOf('today-and-6-days', utc)).toEqual({ from: '2026-02-23', to: '2026-03-01' })
  expect(daysOf('yesterday', utc)).toEqual({ from: '2026-02-28', to: '2026-02-28' })
  expect(daysOf('last-7-days', utc)).toEqual({ from: '2026-02-22', to: '2026-02-28' })
  expect(daysOf('this-month', utc)).toEqual({ from: '2026-03-01', to: '2026-03-01' })
  expect(daysOf('last-month', utc)).toEqual({ from: '2026-02-01', to: '2026-02-28' })
  expect(daysOf('yesterday', { at, timeZone: 'Asia/Kolkata' }).to).toBe('2026-03-01')
})
