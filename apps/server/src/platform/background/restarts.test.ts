import { expect, test } from 'vitest'
import { createRestarts } from './restarts.ts'

const BACKOFF = { firstMs: 100, maxMs: 1_000 }

test('a process that keeps ending waits longer each time, up to the bound', () => {
  const restarts = createRestarts(BACKOFF, { nowMs: () => 0 })
  const waits = Array.from({ length: 6 }, () => {
    restarts.started()
    return restarts.ended().waitMs
  })
  expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000])
})

test('after more than five minutes of running, the back-off starts over', () => {
  let nowMs = 0
  const restarts = createRestarts(BACKOFF, { nowMs: () => nowMs })
  restarts.started()
  restarts.ended()
  restarts.started()
  nowMs = 300_000
  expect(restarts.ended().failures).toBe(2)
  restarts.started()
  nowMs = 600_001
  expect(restarts.ended()).toEqual({ failures: 1, waitMs: 100 })
})

test('a failed start counts as an end, however long it took', () => {
  let nowMs = 0
  const restarts = createRestarts(BACKOFF, { nowMs: () => nowMs })
  restarts.started()
  nowMs = 400_000
  expect(restarts.ended().failures).toBe(1)
  nowMs = 800_000
  expect(restarts.ended().failures).toBe(2)
})
