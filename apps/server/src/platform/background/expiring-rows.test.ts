import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ExpiringRows } from './expiring-rows.ts'

const ROWS_MAX = 10_000
const tableOf = (rowsMax = ROWS_MAX) => new ExpiringRows({ prefix: 'start.', rowsMax })

function endedBy(rows: ExpiringRows, nowMs: number): number[] {
  const ended: number[] = []
  for (let round = 0; round <= ROWS_MAX; round++) {
    const row = rows.findEnded(nowMs)
    if (row === undefined) return ended
    ended.push(row)
    rows.close(row)
  }
  throw new Error(`More than ${ROWS_MAX} rows ended`)
}

describe('rows that end by themselves', () => {
  test('end when their time has come, whatever their lengths and wherever the clock went', () => {
    const holds = fc.array(
      fc.record({ atMs: fc.nat({ max: 500 }), holdMs: fc.integer({ min: 1, max: 60 }) }),
      { maxLength: 120, size: 'max' },
    )
    const agrees = fc.property(holds, fc.nat({ max: 600 }), (holds, nowMs) => {
      const rows = tableOf()
      const endsAt = holds.map(({ atMs, holdMs }) => {
        rows.open(atMs, holdMs)
        return atMs + holdMs
      })

      const ended = endedBy(rows, nowMs)

      const due = endsAt.flatMap((endMs, row) => (endMs <= nowMs ? [row] : []))
      expect(ended.toSorted((a, b) => a - b)).toEqual(due)
      expect(rows.size).toBe(holds.length - due.length)
    })

    expect(() => fc.assert(agrees, { numRuns: 300, seed: 11 })).not.toThrow()
  })

  test('are found by their id while they are open, and never by an older id', () => {
    const rows = tableOf()
    const ids = new Set<string>()
    for (let use = 0; use < 5_000; use++) {
      const row = rows.open(0, 10)!
      const id = rows.idOf(row)
      expect(rows.find(id)).toBe(row)
      ids.add(id)
      rows.close(row)
      expect(rows.find(id)).toBeUndefined()
    }

    expect(ids.size).toBe(5_000)
  })

  test('keep their ids while the arrays grow, at first by doubling and then to the end', () => {
    const rows = tableOf(200_000)
    const ids = Array.from({ length: 70_000 }, () => rows.idOf(rows.open(0, 10)!))

    expect(ids.map((id) => rows.find(id))).toEqual([...ids.keys()])
    expect(new Set(ids.map((id) => id.length))).toEqual(new Set(['start.'.length + 10]))
  })

  test('have room for a million more at once, which nobody pays for before it is used', () => {
    const rows = tableOf(2_000_000)
    for (let count = 0; count < 65_536; count++) rows.open(0, 10)
    expect(rows.capacity).toBe(65_536)

    rows.open(0, 10)

    expect(rows.capacity).toBe(2_000_000)
    expect(rows.find('start.AAAAAAAAAA')).toBe(0)
    expect(rows.find('start.EAAAAAAAAA')).toBeUndefined()
  })

  test('are not found by what is no id of theirs', () => {
    const rows = tableOf()
    const id = rows.idOf(rows.open(0, 10)!)

    const others = [
      '',
      'start.',
      'start.0',
      `other.${id.slice(6)}`,
      `${id}A`,
      `${id.slice(0, -1)}é`,
    ]
    expect(others.map((other) => rows.find(other))).toEqual(others.map(() => undefined))
  })

  test('are bounded', () => {
    const rows = tableOf(2)
    expect([rows.open(0, 10), rows.open(0, 10), rows.open(0, 10)]).toEqual([0, 1, undefined])

    expect(() => tableOf(2 ** 24 + 1)).toThrow('at most')
  })
})
