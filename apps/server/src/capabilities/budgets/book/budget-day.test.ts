import { DAY_MS } from '@placard/calendar'
import { expect, test } from 'vitest'
import { budgetDayOf } from './budget-day.ts'

const dateIn = (zone: string, at: string) =>
  new Date(budgetDayOf(zone, Date.parse(at)) * DAY_MS).toISOString().slice(0, 10)

test.each([
  ['Europe/Berlin', '2026-03-28T22:59:59Z', '2026-03-28'],
  ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29'],
  ['Europe/Berlin', '2026-03-29T21:59:59Z', '2026-03-29'],
  ['Europe/Berlin', '2026-03-29T22:00:00Z', '2026-03-30'],
  ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25'],
  ['Europe/Berlin', '2026-10-25T22:59:59Z', '2026-10-25'],
  ['Europe/Berlin', '2026-10-25T23:00:00Z', '2026-10-26'],
  ['Asia/Kathmandu', '2026-06-15T18:14:59Z', '2026-06-15'],
  ['Asia/Kathmandu', '2026-06-15T18:15:00Z', '2026-06-16'],
  ['America/Los_Angeles', '2026-06-16T06:59:59Z', '2026-06-15'],
])('in %s at %s, the budget day is %s', (zone, at, date) => {
  expect(dateIn(zone, at)).toBe(date)
})

const hoursOf = (date: string) => {
  const start = Date.parse(`${date}T00:00:00Z`) - DAY_MS
  const instants = Array.from({ length: 72 * 4 }, (_, i) => start + i * 900_000)
  const day = Date.parse(`${date}T00:00:00Z`) / DAY_MS
  return instants.filter((at) => budgetDayOf('Europe/Berlin', at) === day).length / 4
}

test('a day when clocks go forward has 23 hours, one when they go back 25', () => {
  expect([hoursOf('2026-03-29'), hoursOf('2026-06-15'), hoursOf('2026-10-25')]).toEqual([
    23, 24, 25,
  ])
})

test('an unknown time zone is refused', () => {
  expect(() => budgetDayOf('Mars/Phobos', 0)).toThrow('is not a time zone')
})
