import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TimedSlots } from './expiring-rows.ts'

const SLOTS_MAX = 10_000
const slotsOf = (slotsMax = SLOTS_MAX) => new TimedSlots({ prefix: 'start.', slotsMax })

function endedBy(slots: TimedSlots, nowMs: number): number[] {
  const ended: number[] = []
  for (let round = 0; round <= SLOTS_MAX; round++) {
    const slot = slots.findEnded(nowMs)
    if (slot === undefined) return ended
    ended.push(slot)
    slots.close(slot)
  }
  throw new Error(`More than ${SLOTS_MAX} slots ended`)
}

describe('slots that end by themselves', () => {
  test('end when their time has come, whatever their lengths and wherever the clock went', () => {
    const holds = fc.array(
      fc.record({ atMs: fc.nat({ max: 500 }), holdMs: fc.integer({ min: 1, max: 60 }) }),
      { maxLength: 120, size: 'max' },
    )
    const agrees = fc.property(holds, fc.nat({ max: 600 }), (holds, nowMs) => {
      const slots = slotsOf()
      const endsAt = holds.map(({ atMs, holdMs }) => {
        slots.open(atMs, holdMs)
        return atMs + holdMs
      })

      const ended = endedBy(slots, nowMs)

      const due = endsAt.flatMap((endMs, slot) => (endMs <= nowMs ? [slot] : []))
      expect(ended.toSorted((a, b) => a - b)).toEqual(due)
      expect(slots.size).toBe(holds.length - due.length)
    })

    expect(() => fc.assert(agrees, { numRuns: 300, seed: 11 })).not.toThrow()
  })

  test('are found by their id while they are open, and never by an older id', () => {
    const slots = slotsOf()
    const ids = new Set<string>()
    for (let use = 0; use < 5_000; use++) {
      const slot = slots.open(0, 10)!
      const id = slots.idOf(slot)
      expect(slots.find(id)).toBe(slot)
      ids.add(id)
      slots.close(slot)
      expect(slots.find(id)).toBeUndefined()
    }

    expect(ids.size).toBe(5_000)
  })

  test('keep their ids while the arrays grow, at first by doubling and then to the end', () => {
    const slots = slotsOf(200_000)
    const ids = Array.from({ length: 70_000 }, () => slots.idOf(slots.open(0, 10)!))

    expect(ids.map((id) => slots.find(id))).toEqual([...ids.keys()])
    expect(new Set(ids.map((id) => id.length))).toEqual(new Set(['start.'.length + 10]))
  })

  test('have room for a million more at once, which nobody pays for before it is used', () => {
    const slots = slotsOf(2_000_000)
    for (let count = 0; count < 65_536; count++) slots.open(0, 10)
    expect(slots.capacity).toBe(65_536)

    slots.open(0, 10)

    expect(slots.capacity).toBe(2_000_000)
    expect(slots.find('start.AAAAAAAAAA')).toBe(0)
    expect(slots.find('start.EAAAAAAAAA')).toBeUndefined()
  })

  test('are not found by what is no id of theirs', () => {
    const slots = slotsOf()
    const id = slots.idOf(slots.open(0, 10)!)

    const others = [
      '',
      'start.',
      'start.0',
      `other.${id.slice(6)}`,
      `${id}A`,
      `${id.slice(0, -1)}é`,
    ]
    expect(others.map((other) => slots.find(other))).toEqual(others.map(() => undefined))
  })

  test('are bounded', () => {
    const slots = slotsOf(2)
    expect([slots.open(0, 10), slots.open(0, 10), slots.open(0, 10)]).toEqual([0, 1, undefined])

    expect(() => slotsOf(2 ** 24 + 1)).toThrow('at most')
  })
})
