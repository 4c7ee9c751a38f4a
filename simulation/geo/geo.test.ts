import { expect, test } from 'vitest'
import { SUSPICION_PROFILES } from '../../apps/server/src/capabilities/geo-profile/profile/suspicion.ts'
import { runWorld, sumUp } from './run.ts'
import { simulateUser } from './world.ts'

test('in a small world, the rules block no traveller and nobody who shares an account', () => {
  const figures = sumUp(runWorld(7, { users: 600, rule: SUSPICION_PROFILES.standard }))

  expect(figures.travellersBlocked).toBe(0)
  expect(figures.blockPrecision).toBeGreaterThanOrEqual(0.9)
  expect(figures.blockRecall).toBeGreaterThanOrEqual(0.7)
  expect(figures.reviewPrecision).toBeGreaterThanOrEqual(0.9)
  expect(figures.reviewRecall).toBeGreaterThanOrEqual(0.9)
})

test('the same seed gives the same people, whatever the size of the world', () => {
  expect(simulateUser(7, 41)).toEqual(simulateUser(7, 41))
  expect(simulateUser(7, 41)).not.toEqual(simulateUser(8, 41))
})
