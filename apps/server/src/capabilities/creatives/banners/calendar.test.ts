import { ZoneClocks } from '@placard/calendar'
import { expect, test } from 'vitest'
import type { Schedule } from './banner.ts'
import { calendarOf } from './calendar.ts'

const clock = new ZoneClocks().find('Europe/Berlin')!
const ALWAYS: Schedule = {
  publishAt: null,
  expiresAt: null,
  recurrenceRule: null,
  recurrenceWindowStart: null,
  recurrenceWindowEnd: null,
}
const shares = (schedule: Partial<Schedule>, from: string, days: number) =>
  calendarOf({ ...ALWAYS, ...schedule }, { from, days, clock }).map(({ openShare }) => openShare)

test('without a schedule every day is open, including days of 23 and 25 hours', () => {
  expect(shares({}, '2026-03-28', 3)).toEqual([1, 1, 1])
  expect(shares({}, '2026-10-25', 1)).toEqual([1])
})

test('dates limit it to the half hour, in the zone of the schedule', () => {
  const schedule = {
    publishAt: new Date('2026-06-10T10:00:00Z'),
    expiresAt: new Date('2026-06-11T22:00:00Z'),
  }

  expect(shares(schedule, '2026-06-09', 4)).toEqual([0, 0.5, 1, 0])
})

test('days of the week and a window of hours leave a part of some days', () => {
  const schedule = {
    recurrenceRule: 'FREQ=WEEKLY;BYDAY=MO,FR',
    recurrenceWindowStart: '08:00:00',
    recurrenceWindowEnd: '20:00:00',
  }

  expect(shares(schedule, '2026-06-15', 5)).toEqual([0.5, 0, 0, 0, 0.5])
})

test('each day is listed once, in order', () => {
  const days = calendarOf(ALWAYS, { from: '2026-02-27', days: 3, clock }).map(({ day }) => day)

  expect(days).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
})
