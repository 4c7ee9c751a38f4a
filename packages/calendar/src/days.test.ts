import { expect, test } from 'vitest'
import {
  addDays,
  addDaysToDate,
  countDays,
  dateOfDay,
  datesBetween,
  dayOfDate,
  firstDayOfMonth,
  firstDayOfWeek,
  lastDayOfMonth,
  utcDateOf,
  utcDayOf,
  weekdayOf,
  weekOfDay,
} from './days.ts'

test('a day, its date and its instants are three forms of the same thing', () => {
  const day = dayOfDate('2028-02-29')

  expect(dateOfDay(day)).toBe('2028-02-29')
  expect(utcDayOf(Date.parse('2028-02-29T23:59:59.999Z'))).toBe(day)
  expect(utcDateOf(new Date('2028-02-29T23:59:59.999Z'))).toBe('2028-02-29')
  expect(dateOfDay(utcDayOf(-1))).toBe('1969-12-31')
})

test('days are added across months and years, forwards and back', () => {
  expect(addDaysToDate('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDaysToDate('2028-03-01', -1)).toBe('2028-02-29')
  expect(addDays(new Date('2026-06-15T12:00:00Z'), -15).toISOString()).toBe(
    '2026-05-31T12:00:00.000Z',
  )
})

test('a period includes its first and its last day', () => {
  expect(countDays('2026-06-15', '2026-06-15')).toBe(1)
  expect(datesBetween('2026-06-29', '2026-07-01')).toEqual([
    '2026-06-29',
    '2026-06-30',
    '2026-07-01',
  ])
  expect(datesBetween('2026-07-01', '2026-06-29')).toEqual([])
})

test('weeks begin on Monday, also before 1970', () => {
  const days = Array.from({ length: 100 }, (_, i) => i - 50)

  for (const day of days) {
    const monday = firstDayOfWeek(weekOfDay(day))
    expect(weekdayOf(monday)).toBe(1)
    expect(day - monday).toBeGreaterThanOrEqual(0)
    expect(day - monday).toBeLessThan(7)
    expect(weekdayOf(day)).toBe(new Date(day * 86_400_000).getUTCDay())
  }
})

test('a month has its own first and last day', () => {
  const leapDay = dayOfDate('2028-02-29')

  expect(dateOfDay(firstDayOfMonth(leapDay))).toBe('2028-02-01')
  expect(dateOfDay(lastDayOfMonth(dayOfDate('2028-02-01')))).toBe('2028-02-29')
  expect(dateOfDay(lastDayOfMonth(dayOfDate('2026-12-05')))).toBe('2026-12-31')
})
