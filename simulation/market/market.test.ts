import { expect, test } from 'vitest'
import { compareMarket } from './compare.ts'
import { readShapes } from './shapes.ts'
import { buildWorld } from './world.ts'

/** A fifth of the full traffic. Budgets are so small that single impressions matter. */
const SHORT = { requestsPerDay: 8_000, warmUpDays: 2, testDays: 1, alone: 1 }

test('if all campaigns have agents, they win more for the same money and hardly any loses', () => {
  const shapes = readShapes('/no-such-folder', 1)
  const world = buildWorld({ seed: 11, shapes, requestsPerDay: SHORT.requestsPerDay })

  const { valueGain, spendRatio, worst, losers, alone, regretOff, regretOn } = compareMarket(
    world,
    SHORT,
  )

  expect(valueGain).toBeGreaterThan(0.15)
  expect(spendRatio).toBeGreaterThan(0.95)
  expect(spendRatio).toBeLessThan(1.05)
  expect(losers).toBeLessThan(0.06)
  expect(worst).toBeGreaterThan(-0.4)
  expect(alone[0]).toBeGreaterThan(-0.02)
  expect(regretOn).toBeLessThan(regretOff - 0.05)
}, 120_000)
