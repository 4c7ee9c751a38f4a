import { expect, test } from 'vitest'
import { ZoneDays } from './zone-day.ts'

const START_MS = Date.parse('2026-06-15T00:00:00+02:00')
const END_MS = Date.parse('2026-06-16T00:00:00+02:00')

function berlinAt(nowMs: number) {
  const day = new ZoneDays().find('Europe/Berlin')!
  day.moveTo(nowMs)
  return day
}

test('a budget day runs from midnight to just before the next midnight', () => {
  const first = berlinAt(START_MS)
  const today = first.day
  first.moveTo(END_MS - 1)
  expect(first.day).toBe(today)
  expect(first.progressAt(END_MS - 1)).toEqual({
    elapsedSeconds: 86_399.999,
    lengthSeconds: 86_400,
  })
  first.moveTo(END_MS)
  expect(first.day).toBe(today + 1)
  first.moveTo(START_MS)
  expect(first.day).toBe(today)
})

test('a day ends within the time that is left of it, and not within less', () => {
  const day = berlinAt(START_MS)
  expect(day.endsWithin(900_000, END_MS - 900_000)).toBe(true)
  expect(day.endsWithin(900_000, END_MS - 900_001)).toBe(false)
})

test('advertisers of a zone share its day, and an unknown zone has none', () => {
  const days = new ZoneDays()
  expect(days.find('Asia/Tokyo')).toBe(days.find('Asia/Tokyo'))
  expect(days.find('Nowhere/City')).toBeUndefined()
})
