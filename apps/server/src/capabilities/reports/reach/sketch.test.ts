import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addMark,
  encodeSketch,
  estimate,
  markOf,
  mergeEncoded,
  mergeInto,
  newSketch,
  type Sketch,
} from './sketch.ts'

const ERROR = 1.04 / Math.sqrt(4_096)

function sketchOf(texts: Iterable<string>): Sketch {
  const sketch = newSketch()
  for (const text of texts) addMark(sketch, markOf(text))
  return sketch
}

const readers = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name}-${at}`)

test('the estimate is within the stated error of an exact count, from none to very many', () => {
  const sizes = [0, 1, 2, 10, 100, 1_000, 5_000, 10_000, 15_000, 40_000, 200_000]
  const errors = sizes.flatMap((size) =>
    [1, 2, 3, 4, 5].map((seed) => {
      const counted = estimate(sketchOf(readers(`seed ${seed}`, size)))
      return Math.abs(counted - size) / Math.max(size, 1)
    }),
  )

  expect(Math.max(...errors)).toBeLessThan(4 * ERROR)
  const square = errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length
  expect(Math.sqrt(square)).toBeLessThan(1.2 * ERROR)
})

test('in random sets with repeats, the estimate counts different readers', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 12 }), { maxLength: 2_000 }), (texts) => {
      const exact = new Set(texts).size
      expect(Math.abs(estimate(sketchOf(texts)) - exact)).toBeLessThanOrEqual(1 + exact * 5 * ERROR)
    }),
  )
})

test('merged parts equal the whole, in any order and any encoding', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.string(), { maxLength: 300 }), { maxLength: 5 }),
      fc.boolean(),
      (parts, isWritten) => {
        const merged = newSketch()
        for (const part of parts.toReversed()) {
          if (isWritten) mergeEncoded(merged, encodeSketch(sketchOf(part)))
          else mergeInto(merged, sketchOf(part))
        }
        expect(merged).toEqual(sketchOf(parts.flat()))
      },
    ),
  )
})

test('a full sketch is stored as it is, a small one takes three bytes per reader', () => {
  expect(encodeSketch(sketchOf(readers('a', 100_000)))).toHaveLength(4_096)
  expect(encodeSketch(sketchOf(['one', 'two']))).toHaveLength(6)
})

test('the mark of a text never changes, because stored sketches depend on it', () => {
  expect(markOf('reader')).toEqual({ register: 3_121, rank: 1 })
})
