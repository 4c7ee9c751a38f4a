import { expect, test } from 'vitest'
import { readShapes } from './shapes.ts'
import { compareTargets } from './targets.ts'
import { buildWorld } from './world.ts'

/** A market in small: every showing is worth more of a budget, so costs miss their targets by more. */
const SHORT = { requestsPerDay: 8_000, warmUpDays: 6, testDays: 3, campaigns: 8 }

test('campaigns with a target cost per action pay about that where it holds them, and buy more for their money than booked bids', () => {
  const shapes = readShapes('/no-such-folder', 1)
  const world = buildWorld({
    seed: 13,
    shapes,
    requestsPerDay: SHORT.requestsPerDay,
    campaigns: 20,
  })

  const compared = compareTargets(world, SHORT)

  expect(compared.boundCostOverTarget).toBeLessThan(1.25)
  expect(compared.costOverTarget).toBeLessThan(1.1)
  expect(compared.perSpendGain).toBeGreaterThan(0.3)
  expect(compared.perSpendGain).toBeGreaterThan(compared.loweredGain)
}, 120_000)
