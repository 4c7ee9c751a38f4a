import { DAY_MS, HOUR_MS } from '@placard/calendar'
import { describe, expect, test } from 'vitest'
import { eventIdOf, judgeTime, unlinkedEventId } from './event.ts'
import { windowStart } from '../settlement/batch-sums.ts'

const DECISION = '0197734c-1a00-7abc-8def-0123456789ab'
const NOW = Date.parse('2026-06-15T12:00:00Z')

describe('an event id', () => {
  test('an event id is the same for every repeat, and differs by kind, banner and decision', () => {
    const ids = [
      eventIdOf(DECISION, 'impression', 0),
      eventIdOf(DECISION, 'click', 0),
      eventIdOf(DECISION, 'impression', 1),
      eventIdOf(DECISION.replace('ab', 'ac'), 'impression', 0),
    ]

    expect(eventIdOf(DECISION, 'impression', 0)).toBe(ids[0])
    expect(new Set(ids).size).toBe(4)
  })

  test('an event id is a UUID that starts with the time of its decision', () => {
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-b[0-9a-f]{3}-[0-9a-f]{12}$/

    expect(eventIdOf(DECISION, 'view', 3)).toMatch(uuid)
    expect(eventIdOf(DECISION, 'view', 3).slice(0, 13)).toBe('0197734c-1a00')
    expect(unlinkedEventId(NOW, 'x')).toMatch(uuid)
  })
})

describe('the time of an event', () => {
  test.each([
    ['without a time of its own is now', undefined, { occurredAtMs: NOW, clock: 'on-time' }],
    ['of a moment ago is taken', NOW - 60_000, { occurredAtMs: NOW - 60_000, clock: 'on-time' }],
    ['of hours ago is late', NOW - HOUR_MS, { occurredAtMs: NOW - HOUR_MS, clock: 'late' }],
    ['of 24 hours ago is late', NOW - DAY_MS, { occurredAtMs: NOW - DAY_MS, clock: 'late' }],
    ['ahead of now is taken as now', NOW + 1, { occurredAtMs: NOW, clock: 'ahead' }],
  ])('%s', (_, claimed, taken) => {
    expect(judgeTime(claimed, NOW)).toEqual({ verdict: 'taken', ...taken })
  })

  test('an event from more than 24 hours ago is too old', () => {
    expect(judgeTime(NOW - DAY_MS - 1, NOW)).toEqual({ verdict: 'too-old' })
  })
})

describe('a window', () => {
  test.each([
    ['Hour', '2026-06-17T12:34:56.789Z', '2026-06-17T12:00:00.000Z'],
    ['Day', '2026-06-17T12:34:56.789Z', '2026-06-17T00:00:00.000Z'],
    ['Week', '2026-06-17T12:34:56.789Z', '2026-06-15T00:00:00.000Z'],
    ['Week', '2026-06-15T00:00:00.000Z', '2026-06-15T00:00:00.000Z'],
    ['Week', '2026-06-14T23:59:59.999Z', '2026-06-08T00:00:00.000Z'],
    ['Month', '2026-06-17T12:34:56.789Z', '2026-06-01T00:00:00.000Z'],
    ['Lifetime', '2026-06-17T12:34:56.789Z', '1970-01-01T00:00:00.000Z'],
  ] as const)('%s around %s starts at %s', (window, at, start) => {
    expect(new Date(windowStart(window, Date.parse(at))).toISOString()).toBe(start)
  })
})
