import { expect, test } from 'vitest'
import { backfillSteps } from './backfill-steps.ts'

test('a week is fetched day by day, each level once, and a day is done when all its levels are', () => {
  const steps = backfillSteps('2026-06-01', '2026-06-07')

  expect(steps).toHaveLength(7 * 3)
  expect(steps.slice(0, 4)).toEqual([
    { level: 'CAMPAIGN', from: '2026-06-01', to: '2026-06-01', daysDone: 0 },
    { level: 'ADSET', from: '2026-06-01', to: '2026-06-01', daysDone: 0 },
    { level: 'AD', from: '2026-06-01', to: '2026-06-01', daysDone: 1 },
    { level: 'CAMPAIGN', from: '2026-06-02', to: '2026-06-02', daysDone: 1 },
  ])
})

test('a longer range is fetched in parts of 30 days without gaps', () => {
  const steps = backfillSteps('2026-01-01', '2026-02-10')

  expect(steps.filter(({ level }) => level === 'AD')).toEqual([
    { level: 'AD', from: '2026-01-01', to: '2026-01-30', daysDone: 30 },
    { level: 'AD', from: '2026-01-31', to: '2026-02-10', daysDone: 41 },
  ])
})
