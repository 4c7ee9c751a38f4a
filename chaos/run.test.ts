import { expect, test, vi } from 'vitest'
import { runChaos } from './run.ts'

vi.setConfig({ testTimeout: 300_000 })

test('after api, PostgreSQL and one of its backends were killed, every acknowledged event counts once', async () => {
  const line = await runChaos({
    seed: 42,
    nodes: 1,
    kills: 3,
    seconds: 2,
    eventsPerSecond: 400,
    decisionsPerSecond: 50,
    underPerSecond: 50,
    acknowledged: 1_000,
    isBounded: true,
    say: () => {},
  })

  expect(line).toMatchObject({
    kills: 3,
    counted: line.acknowledged,
    lost: 0,
    double: 0,
    unexplained: 0,
    unsettled: 0,
    overspentMicros: 0,
    ledgerDifferenceMicros: 0,
    leakedReservations: 0,
    capsPassed: 0,
    strandedMicros: 0,
    plantedCaught: 3,
  })
})
