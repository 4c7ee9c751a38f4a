import { array, assert, boolean, integer, property, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { KeyMap } from './key-map.ts'

const sorted = (values: Iterable<number>) => [...values].toSorted((a, b) => a - b)

test('a key map answers like a Map after any puts and removals', () => {
  const keys = integer({ min: 0, max: 60 }).map((key) => (key % 3 === 0 ? key + 2 ** 40 : key))
  const steps = array(tuple(boolean(), keys), { maxLength: 400, size: 'max' })
  const holds = property(steps, (changes) => {
    const map = new KeyMap()
    const model = new Map<number, number>()
    for (const [at, [isPut, key]] of changes.entries()) {
      if (isPut) {
        map.set(key, at)
        model.set(key, at)
      } else {
        map.delete(key)
        model.delete(key)
      }
    }
    for (let key = 0; key <= 60; key++) {
      expect(map.get(key)).toBe(model.get(key))
      expect(map.get(key + 2 ** 40)).toBe(model.get(key + 2 ** 40))
    }
    expect(sorted(map.values())).toEqual(sorted(model.values()))
    expect(map.size).toBe(model.size)
  })

  expect(() => assert(holds, { numRuns: 300, seed: 5 })).not.toThrow()
})
