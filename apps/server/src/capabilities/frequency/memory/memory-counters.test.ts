import { DAY_SECONDS } from '@placard/calendar'
import { Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { measureEvicted } from '../metrics.ts'
import { fixedClock, seededRandom } from '../../../testing/fixed.ts'
import { countersContract } from '../counters/counters-contract.ts'
import type { CountedThing } from '../counters/counters.ts'
import { createCounters } from './memory-counters.ts'

const HOLD_MS = 60_000
const DAY = { scope: 'ad', key: 7, window: 'Day' } as const
const LIFETIME = { scope: 'ad', key: 7, window: 'Lifetime' } as const

countersContract('in memory', {
  open: (clock) => createCounters({ clock, random: seededRandom(), usersMax: 100 }),
  histories: 300,
})

function openCounters(options: { usersMax?: number; holdsMax?: number } = {}) {
  const clock = fixedClock()
  const counters = createCounters({ clock, random: seededRandom(), usersMax: 100, ...options })
  const seen = (userKey: string) => counters.read(userKey).seen('ad', 7, 'Day')
  const hold = (userKey: string) =>
    counters.read(userKey).hold([{ ...DAY, impressionsMax: 5 }], HOLD_MS)
  /** Restores one impression of each thing. */
  const restore = (userKey: string, things: readonly CountedThing[]) =>
    counters.restore(
      things.map((thing) => ({ ...thing, userKey, impressions: 1, atMs: clock.now().getTime() })),
    )
  return { clock, counters, seen, hold, restore }
}

describe('counters in memory', () => {
  test('every call answers at once', () => {
    const { counters } = openCounters()
    const reader = counters.read('a')

    expect(reader.seen('ad', 7, 'Day')).toBe(0)
    const hold = reader.hold([{ ...DAY, impressionsMax: 1 }], HOLD_MS)
    expect(hold).toEqual({ id: expect.any(String) })
    expect(reader.seen('ad', 7, 'Day')).toBe(1)
    expect(counters.release(hold!.id)).toBeUndefined()
    expect(reader.seen('ad', 7, 'Day')).toBe(0)
  })

  test('the least recently seen user is removed for a new one, and a metric counts it', async () => {
    const { counters, seen, restore } = openCounters({ usersMax: 2 })
    const registry = new Registry()
    measureEvicted(registry, counters)
    restore('a', [DAY])
    restore('b', [DAY])
    counters.read('a')

    restore('c', [DAY])

    expect([seen('a'), seen('b'), seen('c')]).toEqual([1, 0, 1])
    expect(counters.snapshot()).toMatchObject({ users: 2, rows: 2, usersEvicted: 1, usersIdle: 0 })
    expect(await registry.metrics()).toContain('placard_frequency_evicted_total 1')
  })

  test('reading counts of a user takes no memory', () => {
    const { counters, seen } = openCounters()

    expect(seen('a')).toBe(0)
    counters.read('a').hold([], HOLD_MS)

    expect(counters.snapshot()).toMatchObject({ users: 0, rows: 0 })
  })

  test('users that somebody makes up are forgotten with their holds, and push out nobody', () => {
    const { clock, counters, seen, hold, restore } = openCounters({ usersMax: 10 })
    restore('reader', [DAY])
    for (let at = 0; at < 50; at++) {
      hold(`made up ${at}`)
      clock.advance(61)
    }

    expect(seen('reader')).toBe(1)
    expect(counters.snapshot()).toMatchObject({ users: 1, rows: 1, usersEvicted: 0 })
  })

  test('a user whose windows are all over makes room for the next new one', () => {
    const { clock, counters, restore } = openCounters()
    restore('a', [DAY])
    restore('b', [DAY, LIFETIME])
    clock.advance(DAY_SECONDS)

    restore('c', [DAY])
    restore('d', [DAY])

    expect(counters.snapshot()).toMatchObject({ users: 3, usersIdle: 1, usersEvicted: 0 })
    expect(counters.read('b').seen('ad', 7, 'Lifetime')).toBe(1)
  })

  test('a count whose window is over is dropped when its user sees something new', () => {
    const { clock, counters, restore } = openCounters()
    restore('a', [DAY, LIFETIME])
    clock.advance(DAY_SECONDS)

    restore('a', [{ ...DAY, key: 8 }])

    expect(counters.snapshot()).toMatchObject({ rows: 2, rowsDropped: 0 })
  })

  test('a robot that sees everything keeps a limited number of counts, the newest', () => {
    const { counters, restore } = openCounters()
    for (let key = 1; key <= 600; key++) restore('robot', [{ ...DAY, key }])

    const { rows, rowsDropped } = counters.snapshot()

    expect([rows, rowsDropped]).toEqual([501, 99])
    const reader = counters.read('robot')
    expect(reader.seen('ad', 600, 'Day')).toBe(1)
    expect(reader.seen('ad', 1, 'Day')).toBe(0)
  })

  test('a hold of a removed user ends without affecting anyone', () => {
    const { counters, hold, seen } = openCounters({ usersMax: 1 })
    const first = hold('a')!
    const second = hold('b')!

    counters.release(first.id)
    expect(seen('b')).toBe(1)
    counters.release(second.id)

    expect(seen('b')).toBe(0)
    expect(counters.snapshot()).toMatchObject({ holds: 0, usersEvicted: 1, released: 2 })
  })

  test('a user never sees the counts of the user whose row it got', () => {
    const { counters, restore } = openCounters({ usersMax: 1 })
    restore('a', [DAY])
    const reader = counters.read('a')

    restore('b', [DAY, LIFETIME])

    expect(reader.seen('ad', 7, 'Lifetime')).toBe(0)
  })

  test('a hold is refused when memory is full, and granted when room comes back', () => {
    const { clock, counters, hold } = openCounters({ holdsMax: 1 })
    hold('a')

    expect(hold('b')).toBeUndefined()
    clock.advance(HOLD_MS / 1000)
    expect(hold('b')).toBeDefined()

    expect(counters.snapshot()).toMatchObject({ held: 2, refusedFull: 1, expired: 1, holds: 1 })
  })

  test('an expired hold is not released, even before a sweep has ended it', () => {
    const { clock, counters } = openCounters()
    const caps = [{ ...DAY, impressionsMax: 5_000 }]
    const holds = Array.from({ length: 2_500 }, () => counters.read('a').hold(caps, HOLD_MS)!)
    clock.advance(HOLD_MS / 1000)

    counters.release(holds.at(-1)!.id)

    expect(counters.snapshot()).toMatchObject({ released: 0, unknown: 1 })
  })

  test('ten thousand holds one after the other take the memory of one', () => {
    const { counters, hold } = openCounters()
    counters.release(hold('a')!.id)
    const { bytes } = counters.snapshot()

    for (let count = 0; count < 10_000; count++) counters.release(hold('a')!.id)

    expect(counters.snapshot().bytes).toBe(bytes)
  })

  test('held, refused, released and unknown holds are counted', () => {
    const { counters, hold } = openCounters()
    const { id } = hold('a')!
    counters.release(id)
    counters.release(id)
    counters.read('a').hold([{ ...DAY, impressionsMax: 0 }], HOLD_MS)

    expect(counters.snapshot()).toMatchObject({ held: 1, refused: 1, released: 1, unknown: 1 })
  })
})
