import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { capacityOf, capacityTable, readFigures } from './capacity.ts'

const FIGURES = {
  decisionCpuMicros: { api: 100, postgres: 25, redis: 4 },
  inCluster: { api: 1.5, redis: 3 },
  settled: { perSecond: 40_000, cores: 2 },
  eventsPerDecision: 0.5,
  busyShare: 0.5,
  postgresCoresMax: 32,
}

test('each step names the part that reaches its limit first', () => {
  const steps = capacityOf(FIGURES).map((step) => [
    step.decisionsPerSecond,
    step.bottleneck.split(/[,:]/)[0],
  ])

  expect(Object.fromEntries(steps)).toEqual({
    10_000: 'the api processes',
    50_000: 'the api processes',
    100_000: 'the api processes',
    200_000: 'one Redis',
    500_000: 'one PostgreSQL',
    1_000_000: 'one PostgreSQL',
  })
})

test('the cores of a step follow from the cost of a decision, more in a Cluster, at less than full load', () => {
  expect(capacityOf(FIGURES)[3]).toMatchObject({
    decisionsPerSecond: 200_000,
    apiProcesses: 60,
    redisNodes: 5,
    recordCores: 10,
    settlingCores: 10,
    placards: 1,
  })
})

test("the operator's guide has the table computed from the figures", async () => {
  const guide = await readFile(path.join(import.meta.dirname, '../docs/guides/operator.md'), 'utf8')
  const rowsOf = (text: string) => text.split('\n').map((line) => line.replace(/\s*\|\s*/g, '|'))

  const rows = rowsOf(capacityTable(capacityOf(readFigures()))).filter((row) => /\d/.test(row))

  expect(rowsOf(guide)).toEqual(expect.arrayContaining(rows))
})
