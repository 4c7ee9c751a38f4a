import { expect, test } from 'vitest'
import { type Backoff, backoffMs, jitteredBackoffMs } from './backoff.ts'

const waits = (backoff: Backoff) => [1, 2, 3, 4, 1_000].map((n) => backoffMs(backoff, n))

test('a wait doubles with every failure, up to its maximum', () => {
  expect(waits({ firstMs: 100, maxMs: 500 })).toEqual([100, 200, 400, 500, 500])
})

test('a wait can grow by another factor', () => {
  expect(waits({ firstMs: 1, maxMs: 100, factor: 4 })).toEqual([1, 4, 16, 64, 100])
})

test('jitter adds up to the wait itself, and never passes the maximum', () => {
  const withDraw = (draw: number, failures: number) =>
    jitteredBackoffMs({ firstMs: 100, maxMs: 500 }, failures, {
      draw: () => draw,
      bytes: (count) => Buffer.alloc(count),
    })

  expect([withDraw(0, 2), withDraw(0.5, 2), withDraw(0.999, 2), withDraw(0.999, 3)]).toEqual([
    200, 300, 400, 500,
  ])
})
