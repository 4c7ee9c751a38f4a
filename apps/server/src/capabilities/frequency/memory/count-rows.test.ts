import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CountRows, NO_ROW } from './count-rows.ts'

test('rows are found after any order of adding and removing, as in a map', () => {
  const steps = fc.array(
    fc.record({
      isAdded: fc.boolean(),
      user: fc.nat({ max: 3 }),
      kind: fc.nat({ max: 14 }),
      key: fc.constantFrom(1, 2, 3, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER),
    }),
    { maxLength: 300, size: 'max' },
  )
  const agrees = fc.property(steps, (steps) => {
    const rows = new CountRows()
    const map = new Map<string, number>()
    for (const { isAdded, user, kind, key } of steps) {
      const name = `${user} ${kind} ${key}`
      const row = rows.find(user, kind, key)
      expect(row).toBe(map.get(name) ?? NO_ROW)
      if (isAdded && row === NO_ROW) map.set(name, rows.add({ user, kind, key, next: NO_ROW }))
      if (isAdded || row === NO_ROW) continue
      rows.remove(row)
      map.delete(name)
    }
    for (const [name, row] of map) {
      const [user, kind, key] = name.split(' ').map(Number)
      expect(rows.find(user!, kind!, key!)).toBe(row)
    }
    expect(rows.size).toBe(map.size)
  })

  expect(() => fc.assert(agrees, { numRuns: 100, seed: 3 })).not.toThrow()
})
