import { expect, test } from 'vitest'
import { seededDraws } from '../random.ts'
import { DoubleDqn, type DqnSettings } from './double-dqn.ts'

const LENGTH = 6
const STEPS_MAX = 20

const settings: DqnSettings = {
  sizes: [LENGTH, 16, 2],
  discount: 0.9,
  rate: 0.005,
  optimiser: 'adam',
  batch: 16,
  memory: 500,
  transitionsMin: 50,
  targetMax: 10,
  errorMax: 1,
  copyEvery: 50,
}

const at = (place: number) => Array.from({ length: LENGTH }, (_, one) => (one === place ? 1 : 0))

/** A corridor: leaving it to the left gives 0.1 at once, walking to its right end gives 1. */
function walk(agent: DoubleDqn, epsilon: number, draws: ReturnType<typeof seededDraws>): number {
  let place = 1
  let total = 0
  for (let step = 0; step < STEPS_MAX; step++) {
    const action = agent.explore(at(place), { epsilon, draws })
    const next = place + (action === 1 ? 1 : -1)
    const reward = next === 0 ? 0.1 : next === LENGTH - 1 ? 1 : 0
    const done = next === 0 || next === LENGTH - 1
    agent.remember({ state: at(place), action, reward, next: at(next), done })
    total += reward
    if (done) return total
    place = next
  }
  return total
}

function trained(seed: number): DoubleDqn {
  const draws = seededDraws(seed)
  const agent = new DoubleDqn(settings, draws)
  for (let episode = 0; episode < 200; episode++) {
    walk(agent, 1 - episode / 200, draws)
    for (let one = 0; one < 5; one++) agent.train(draws)
  }
  return agent
}

test('the learner passes a small reward to reach a large one', () => {
  const agent = trained(4)

  expect(walk(agent, 0, seededDraws(1))).toBe(1)
  const value = Math.max(...agent.online.forward(at(1)))
  expect(value).toBeCloseTo(0.9 ** 3, 1)
})

test('the same seed gives the same weights', () => {
  expect(trained(4).snapshot()).toEqual(trained(4).snapshot())
})

test('the learner does not train before it has enough transitions', () => {
  const draws = seededDraws(1)
  const agent = new DoubleDqn(settings, draws)
  for (let one = 0; one < settings.transitionsMin - 1; one++) {
    agent.remember({ state: at(1), action: 0, reward: 0, next: at(0), done: true })
  }

  expect(agent.train(draws)).toBe(false)
  agent.remember({ state: at(1), action: 0, reward: 0, next: at(0), done: true })
  expect(agent.train(draws)).toBe(true)
})

const network = (first: number, second: number) => ({
  sizes: [1, 2],
  parameters: [0, 0, first, second],
})

test('the online network chooses the next action and the target network values it', () => {
  const draws = seededDraws(1)
  const linear: DqnSettings = {
    ...settings,
    sizes: [1, 2],
    optimiser: 'sgd',
    rate: 0.1,
    batch: 1,
    transitionsMin: 1,
    copyEvery: 1_000,
    discount: 1,
    errorMax: Infinity,
    targetMax: 100,
  }
  const agent = new DoubleDqn(linear, draws)
  agent.restore({ online: network(1, 2), target: network(50, 7), steps: 0 })
  agent.remember({ state: [0], action: 0, reward: 3, next: [0], done: false })

  agent.train(draws)

  const wanted = 3 + 7
  expect(agent.online.parameters[2]).toBeCloseTo(1 - 0.1 * (1 - wanted), 12)
  expect(agent.online.parameters[3]).toBe(2)
})

test('a restored agent continues like the original', () => {
  const first = trained(2)
  const second = new DoubleDqn(settings, seededDraws(99))

  second.restore(JSON.parse(JSON.stringify(first.snapshot())))

  expect(second.snapshot()).toEqual(first.snapshot())
  expect(second.best(at(3))).toBe(first.best(at(3)))
})
