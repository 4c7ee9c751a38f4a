import { expect, test } from 'vitest'
import { HolderLimits } from './holder-limits.ts'

const reader = (number: number) => ({ number, isVouched: false })

/** Begins as many holds as are admitted, of so many tries. */
function begin(limits: HolderLimits, number: number, { tries = 1_000, atMs = 0 } = {}) {
  let begun = 0
  for (let at = 0; at < tries; at++) {
    if (!limits.admits(reader(number), atMs)) continue
    limits.note(reader(number))
    begun++
  }
  return begun
}

test('a reader begins so many holds in a window, and others theirs', () => {
  const limits = new HolderLimits({ max: 5, windowMs: 10_000 })

  expect(begin(limits, 1)).toBe(5)
  expect(begin(limits, 2)).toBe(5)
  expect(limits.refused).toBe(1_990)
})

test('the window slides: in the middle of the next one half of the holds before still count', () => {
  const limits = new HolderLimits({ max: 10, windowMs: 10_000 })
  begin(limits, 1)

  expect(begin(limits, 1, { atMs: 10_000 })).toBe(0)
  expect(begin(limits, 1, { atMs: 15_000 })).toBe(5)
  expect(begin(limits, 1, { atMs: 40_000 })).toBe(10)
})
