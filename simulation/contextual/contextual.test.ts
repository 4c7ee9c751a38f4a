import { expect, test } from 'vitest'
import { runWeek } from './run.ts'

test('on a simulated day our choice earns more money and clicks than a random choice and than the highest bid', () => {
  const ours = runWeek(21, 'thompson', 1)
  const random = runWeek(21, 'random', 1)
  const topBid = runWeek(21, 'top-bid', 1)

  expect(ours).toMatchObject({ over: 0 })
  expect(ours.budgetsUsed).toBeGreaterThan(0.93)
  expect(ours.blackout).toBeLessThan(0.02)
  for (const other of [random, topBid]) {
    expect(ours.revenue).toBeGreaterThan(other.revenue)
    expect(ours.clicks).toBeGreaterThan(other.clicks)
  }
})
