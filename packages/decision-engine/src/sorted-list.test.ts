import { array, assert, boolean, integer, property, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { SortedList } from './sorted-list.ts'

/** Every third pair of slots is equal but for the slot itself. */
const order = (a: number, b: number) => Math.floor(b / 3) - Math.floor(a / 3) || a - b

test('a list holds its slots in order through any inserts and removals', () => {
  const steps = array(tuple(boolean(), integer({ min: 0, max: 2_000 })), {
    maxLength: 3_000,
    size: 'max',
  })
  const holds = property(steps, (changes) => {
    const list = new SortedList()
    const model = new Set<number>()
    for (const [isInsert, slot] of changes) {
      if (isInsert && !model.has(slot)) {
        list.insert(slot, order)
        model.add(slot)
      } else if (!isInsert && model.has(slot)) {
        list.remove(slot, order)
        model.delete(slot)
      }
    }
    expect(list.toArray()).toEqual([...model].toSorted(order))
    expect(list.count).toBe(model.size)
  })

  expect(() => assert(holds, { numRuns: 60, seed: 3 })).not.toThrow()
})

test('a list of thousands keeps its order when filled at once and changed after', () => {
  const list = new SortedList()
  list.replace(
    Int32Array.from({ length: 5_000 }, (_, at) => at * 2),
    order,
  )

  for (let slot = 1; slot < 3_000; slot += 2) list.insert(slot, order)
  for (let slot = 0; slot < 3_000; slot += 2) list.remove(slot, order)

  expect(list.toArray()).toEqual(list.toArray().toSorted(order))
  expect(list.count).toBe(5_000)
})

test('a slot that is not where its order puts it is a broken invariant', () => {
  const list = new SortedList()
  list.insert(1, order)

  expect(() => list.remove(2, order)).toThrow('slot 2 is not listed')
})
