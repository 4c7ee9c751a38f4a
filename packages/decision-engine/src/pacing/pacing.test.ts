import { localDay, ZoneClock } from '@placard/calendar'
import { describe, expect, test } from 'vitest'
import { dayProgress, judgePacing, smoothAllowance } from './pacing.ts'

const HOUR = 3600
const noon = { elapsedSeconds: 12 * HOUR, lengthSeconds: 24 * HOUR }
const smooth = (spentMicros: number) =>
  ({ strategy: 'Smooth', limitMicros: 24_000_000, spentMicros }) as const

describe('Smooth pacing', () => {
  test('the first hour may spend its share and 20 % more', () => {
    const firstHour = { elapsedSeconds: 10, lengthSeconds: 24 * HOUR }

    expect(judgePacing(smooth(0), 1_200_000, firstHour)).toBe('may-spend')
    expect(judgePacing(smooth(0), 1_200_001, firstHour)).toBe('ahead-of-plan')
  })

  test('the allowance grows in hourly steps', () => {
    const at = (elapsedSeconds: number) =>
      smoothAllowance(24_000_000, { elapsedSeconds, lengthSeconds: 24 * HOUR })

    expect(at(HOUR - 1)).toBe(1_200_000)
    expect(at(HOUR)).toBe(2_400_000)
  })

  test('the extra 20 % never raise the allowance above the daily limit', () => {
    const late = { elapsedSeconds: 23 * HOUR, lengthSeconds: 24 * HOUR }

    expect(smoothAllowance(24_000_000, late)).toBe(24_000_000)
    expect(judgePacing(smooth(24_000_000), 1, late)).toBe('exhausted')
  })
})

test('Accelerated may spend the whole daily limit at any hour', () => {
  const budget = { strategy: 'Accelerated', limitMicros: 10, spentMicros: 9 } as const

  expect(judgePacing(budget, 1, noon)).toBe('may-spend')
  expect(judgePacing(budget, 2, noon)).toBe('exhausted')
})

function hoursAt(zone: ZoneClock, iso: string): number {
  const nowMs = Date.parse(iso)
  const day = localDay(zone, nowMs)
  return dayProgress(day, nowMs).lengthSeconds / HOUR
}

describe('the advertiser day', () => {
  const newYork = new ZoneClock('America/New_York')

  test('has 23 hours when clocks go forward and 25 when they go back', () => {
    expect(hoursAt(newYork, '2026-03-08T18:00:00Z')).toBe(23)
    expect(hoursAt(newYork, '2026-11-01T18:00:00Z')).toBe(25)
    expect(hoursAt(newYork, '2026-06-01T18:00:00Z')).toBe(24)
    const nowMs = Date.parse('2026-06-01T18:00:00Z')
    expect(dayProgress(localDay(newYork, nowMs), nowMs).elapsedSeconds).toBe(14 * HOUR)
  })

  test('begins at the jump where midnight is skipped', () => {
    const santiago = new ZoneClock('America/Santiago')

    const day = localDay(santiago, Date.parse('2026-09-06T15:00:00Z'))

    expect(new Date(day.startMs).toISOString()).toBe('2026-09-06T04:00:00.000Z')
    expect((day.endMs - day.startMs) / 1000 / HOUR).toBe(23)
  })

  test('begins at the first midnight where there are two', () => {
    const havana = new ZoneClock('America/Havana')

    const day = localDay(havana, Date.parse('2026-11-01T18:00:00Z'))

    expect(new Date(day.startMs).toISOString()).toBe('2026-11-01T04:00:00.000Z')
    expect((day.endMs - day.startMs) / 1000 / HOUR).toBe(25)
  })

  test('a day of 25 hours spends in 25 steps', () => {
    const long = { elapsedSeconds: 24 * HOUR, lengthSeconds: 25 * HOUR }

    expect(smoothAllowance(25_000_000, { ...long, elapsedSeconds: 0 })).toBe(1_200_000)
    expect(smoothAllowance(25_000_000, long)).toBe(25_000_000)
  })
})
