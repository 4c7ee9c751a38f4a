import { expect, test } from 'vitest'
import { seededDraws } from '../random.ts'
import { judgeCost, sayCost } from './cost.ts'

const TARGET = 12_000_000

const facts = (purchases: number, expected: number) => ({
  minutes: 300,
  spend: expected * TARGET,
  purchases,
  targetMicros: TARGET,
})

test('purchases that cost twice their target are found worse, in words', () => {
  const judgement = judgeCost(facts(20, 40))

  expect(judgement).toMatchObject({ verdict: 'worse', gain: -0.5 })
  expect(sayCost(judgement)).toMatch(/^Costs too much: -50\.0 % purchases per spend .*20 purchases/)
})

test('no purchase at all is worse as soon as a dozen were due, so a broken pixel stops the spend', () => {
  expect(judgeCost(facts(0, 12)).verdict).toBe('worse')
})

test('a cost at its target, or below, stays', () => {
  expect(judgeCost(facts(40, 40)).verdict).toBe('not-worse')
  expect(judgeCost(facts(60, 40)).verdict).toBe('not-worse')
})

test('little spend decides nothing', () => {
  const judgement = judgeCost(facts(0, 7))

  expect(judgement.verdict).toBe('too-few-minutes')
  expect(sayCost(judgement)).toMatch(/too little to judge/)
})

test('a policy that costs what is tolerated is taken back in at most one of twenty cases', () => {
  const draws = seededDraws(11)
  const poisson = (mean: number) => {
    let count = -1
    for (let left = 1; left > Math.exp(-mean); left *= draws.next()) count++
    return count
  }
  const rounds = 4_000
  let worse = 0
  for (let round = 0; round < rounds; round++) {
    if (judgeCost(facts(poisson(40 / 1.25), 40)).verdict === 'worse') worse++
  }
  expect(worse / rounds).toBeLessThan(0.055)
  expect(worse / rounds).toBeGreaterThan(0.02)
})
