import { array, assert, boolean, integer, property, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { SortedList } from './sorted-list.ts'

/** In every third pair, the rows differ in nothing but their number. */
const order = (a: number, b: number) => Math.floor(b / 3) - Math.floor(a / 3) || a - b

test('a list keeps its rows in order through any inserts and removals', () => {
  const steps = array(tuple(boolean(), integer({ min: 0, max: 2_000 })), {
    maxLength: 3_000,
    size: 'max',
  })
  const holds = property(steps, (changes) => {
    const list = new SortedList()
    const model = new Set<number>()
    for (const [isInsert, row] of changes) {
      if (isInsert && !model.has(row)) {
        list.insert(row, order)
        model.add(row)
      } else if (!isInsert && model.has(row)) {
        list.remove(row, order)
        model.delete(row)
      }
    }
    expect(list.toArray()).toEqual([...model].toSorted(order))
    expect(list.count).toBe(model.size)
  })

  expect(() => assert(holds, { numRuns: 60, seed: 3 })).not.toThrow()
})

test('a list of thousands of rows keeps its order when it is filled at once and changed later', () => {
  const list = new SortedList()
  list.replace(
    Int32Array.from({ length: 5_000 }, (_, at) => at * 2),
    order,
  )

  for (let row = 1; row < 3_000; row += 2) list.insert(row, order)
  for (let row = 0; row < 3_000; row += 2) list.remove(row, order)

  expect(list.toArray()).toEqual(list.toArray().toSorted(order))
  expect(list.count).toBe(5_000)
})

test('a row whose rank changes moves to its new place, however far, and the others stay', () => {
  const moves = array(tuple(integer({ min: 0, max: 1_999 }), integer({ min: 0, max: 2_500 })), {
    maxLength: 300,
    size: 'max',
  })
  const holds = property(integer({ min: 1, max: 2_000 }), moves, (count, changes) => {
    const ranks = Array.from({ length: count }, (_, row) => row)
    const byRank = (a: number, b: number) => ranks[a]! - ranks[b]! || a - b
    const list = new SortedList()
    list.replace(Int32Array.from(ranks), byRank)
    for (const [at, rank] of changes) {
      const row = at % count
      list.seek(row, byRank, rank / 2_500)
      ranks[row] = rank
      list.reorder(row, byRank)
      expect(list.first).toBe(list.chunks[0]![0])
    }
    expect(list.toArray()).toEqual([...ranks.keys()].toSorted(byRank))
    expect(list.count).toBe(count)
  })

  expect(() => assert(holds, { numRuns: 60, seed: 3 })).not.toThrow()
})

test('seeking a row returns its rank, from 0 for the best to 1', () => {
  const list = new SortedList()
  list.replace(
    Int32Array.from({ length: 2_000 }, (_, at) => at),
    (a, b) => a - b,
  )

  expect(list.seek(1_500, (a, b) => a - b)).toBe(0.75)
})

test('seeking a row that is not at its place throws', () => {
  const list = new SortedList()
  list.insert(1, order)

  expect(() => list.remove(2, order)).toThrow('row 2 is not listed')
})
