import { describe, expect, test } from 'vitest'
import { compileSchedule, judgeSchedule, parseTimeOfDay } from './schedule.ts'
import type { ScheduleText } from './schedule.ts'
import { wallClock } from '../../decision-engine/src/testing/reference-rules.ts'
import { DAY_MS } from './days.ts'
import { localTime, ZoneClock, ZoneClocks } from './zones.ts'

function verdict(text: ScheduleText, zone: string, iso: string): string {
  const schedule = compileSchedule(text, new ZoneClock(zone))
  return typeof schedule === 'string' ? schedule : judgeSchedule(schedule, Date.parse(iso))
}

const halfHours = (from: string) =>
  Array.from({ length: 8 }, (_, at) => new Date(Date.parse(from) + at * 1_800_000).toISOString())

const openHalfHours = (text: ScheduleText, from: string) =>
  halfHours(from).filter((iso) => verdict(text, 'America/New_York', iso) === 'open').length

describe('a recurrence window', () => {
  const night = { windowStart: '22:00:00', windowEnd: '02:00:00' }

  test('runs across midnight', () => {
    expect(verdict(night, 'UTC', '2026-05-13T23:00:00Z')).toBe('open')
    expect(verdict(night, 'UTC', '2026-05-13T02:00:00Z')).toBe('open')
    expect(verdict(night, 'UTC', '2026-05-13T02:00:01Z')).toBe('outside-window')
    expect(verdict(night, 'UTC', '2026-05-13T21:59:59Z')).toBe('outside-window')
  })

  test('skips the hour that clocks skip and repeats the one they repeat', () => {
    const early = { windowStart: '02:00:00', windowEnd: '02:59:59' }
    const repeated = { windowStart: '01:00:00', windowEnd: '01:59:59' }

    expect(openHalfHours(early, '2026-03-08T05:00:00Z')).toBe(0)
    expect(openHalfHours(repeated, '2026-11-01T04:00:00Z')).toBe(4)
  })
})

describe('a recurrence rule', () => {
  test('every second week counts weeks from the first day, Monday first', () => {
    const text = {
      recurrenceRule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU',
      publishAtMs: Date.parse('2026-05-06T00:00:00Z'),
    }

    expect(verdict(text, 'UTC', '2026-05-10T12:00:00Z')).toBe('open')
    expect(verdict(text, 'UTC', '2026-05-11T12:00:00Z')).toBe('off-recurrence')
    expect(verdict(text, 'UTC', '2026-05-18T12:00:00Z')).toBe('open')
  })

  test('weekly without BYDAY keeps the weekday of the first day, in the zone', () => {
    const text = {
      recurrenceRule: 'FREQ=WEEKLY',
      publishAtMs: Date.parse('2026-05-05T20:00:00Z'),
    }

    expect(verdict(text, 'Asia/Tokyo', '2026-05-13T01:00:00Z')).toBe('open')
    expect(verdict(text, 'Asia/Tokyo', '2026-05-12T01:00:00Z')).toBe('off-recurrence')
  })

  test('UNTIL as a date includes that whole local day, as an instant it ends there', () => {
    const day = { recurrenceRule: 'FREQ=DAILY;UNTIL=20260513' }
    const instant = { recurrenceRule: 'FREQ=DAILY;UNTIL=20260513T120000Z' }

    expect(verdict(day, 'America/New_York', '2026-05-14T03:59:59Z')).toBe('open')
    expect(verdict(day, 'America/New_York', '2026-05-14T04:00:00Z')).toBe('off-recurrence')
    expect(verdict(instant, 'UTC', '2026-05-13T12:00:00Z')).toBe('open')
    expect(verdict(instant, 'UTC', '2026-05-13T12:00:01Z')).toBe('off-recurrence')
  })

  test('nothing recurs before its first day', () => {
    const text = { recurrenceRule: 'FREQ=DAILY', publishAtMs: Date.parse('2026-05-14T00:00:00Z') }

    expect(verdict(text, 'UTC', '2026-05-13T12:00:00Z')).toBe('off-recurrence')
  })

  test.each([
    'FREQ=MONTHLY',
    'FREQ=DAILY;COUNT=3',
    'FREQ=WEEKLY;BYDAY=1MO',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=DAILY;UNTIL=tomorrow',
    'FREQ=DAILY;FREQ=WEEKLY',
    'DAILY',
    '',
  ])('%j is not supported, and the banner never serves', (recurrenceRule) => {
    expect(verdict({ recurrenceRule }, 'UTC', '2026-05-13T12:00:00Z')).toBe('never')
  })
})

describe('an invalid schedule', () => {
  test('an unknown zone or an impossible time of day never serves', () => {
    const window = { windowStart: '25:00:00', windowEnd: '26:00:00' }

    expect(verdict(window, 'UTC', '2026-05-13T12:00:00Z')).toBe('never')
    expect(compileSchedule({ recurrenceRule: 'FREQ=DAILY' }, undefined)).toBe('never')
    expect(new ZoneClocks().find('Mars/Olympus')).toBeUndefined()
  })

  test('times of day may leave out the seconds', () => {
    expect(parseTimeOfDay('09:30')).toBe(34_200)
    expect(parseTimeOfDay('23:59:59')).toBe(86_399)
    expect(parseTimeOfDay('9:30')).toBeUndefined()
  })
})

describe('the zone clock', () => {
  test('agrees with the wall clock of every zone through the year, forwards and back', () => {
    const zones = ['America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Africa/Casablanca']
    const start = Date.parse('2026-01-01T00:15:00Z')
    const hours = Array.from({ length: 8_760 / 5 }, (_, at) => start + at * 5 * 3_600_000)
    const differing = zones.flatMap((zone) => {
      const clock = new ZoneClock(zone)
      const back = hours.filter((_, at) => at % 200 === 0).toReversed()
      return [...hours, ...back].filter((nowMs) => {
        const { hour, weekday, day } = localTime(clock, nowMs)
        const wall = wallClock(zone, nowMs)
        return hour !== wall.hour || weekday !== wall.weekday || day !== wall.dayNumber
      })
    })

    expect(differing).toEqual([])
  })

  test('changes at the very minute', () => {
    const clock = new ZoneClock('America/New_York')

    expect(localTime(clock, Date.parse('2026-03-08T06:59:59Z')).hour).toBe(1)
    expect(localTime(clock, Date.parse('2026-03-08T07:00:00Z')).hour).toBe(3)
  })

  test('knows the leap day', () => {
    const { day } = localTime(new ZoneClock('UTC'), Date.parse('2028-02-29T12:00:00Z'))

    expect(new Date(day * DAY_MS).toISOString()).toBe('2028-02-29T00:00:00.000Z')
  })
})
