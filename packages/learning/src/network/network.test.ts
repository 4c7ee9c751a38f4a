import { expect, test } from 'vitest'
import { seededDraws } from '../random.ts'
import { Network, parameterCount } from './network.ts'
import { Adam, plainSgd } from './optimiser.ts'

const square = (network: Network, input: number[], wanted: number[]) =>
  [...network.forward(input)].reduce((sum, value, at) => sum + (value - wanted[at]!) ** 2 / 2, 0)

test('gradients agree with finite differences of every parameter', () => {
  const draws = seededDraws(3)
  const network = Network.random([4, 7, 5, 3], draws)
  for (let at = 0; at < network.parameters.length; at++) {
    network.parameters[at]! += 0.1 * (draws.next() - 0.5)
  }
  const input = [0.3, -1.2, 0.8, 2]
  const wanted = [1, -1, 0.5]

  const gradient = new Float64Array(network.parameters.length)
  const output = [...network.forward(input)]
  network.backward(
    output.map((value, at) => value - wanted[at]!),
    gradient,
  )

  const small = 1e-6
  for (let at = 0; at < gradient.length; at++) {
    const kept = network.parameters[at]!
    network.parameters[at] = kept + small
    const above = square(network, input, wanted)
    network.parameters[at] = kept - small
    const below = square(network, input, wanted)
    network.parameters[at] = kept
    expect(gradient[at]).toBeCloseTo((above - below) / (2 * small), 6)
  }
})

test('the layer sizes determine the number of parameters', () => {
  expect(parameterCount([8, 64, 64, 5])).toBe(5_061)
  expect(parameterCount([8, 64, 64, 7])).toBe(5_191)
})

test('a restored network gives the same answers, bit by bit', () => {
  const network = Network.random([3, 8, 2], seededDraws(5))

  const again = Network.restore(JSON.parse(JSON.stringify(network.snapshot())))

  expect([...again.forward([1, 2, 3])]).toEqual([...network.forward([1, 2, 3])])
  expect(() => Network.restore({ sizes: [3, 2], parameters: [1] })).toThrow('1 parameters for 3-2')
})

test('a silenced network answers 0 to every input', () => {
  const network = Network.random([3, 8, 2], seededDraws(5)).silence()

  expect([...network.forward([1, -2, 3])]).toEqual([0, 0])
})

test.each([
  ['sgd', plainSgd(0.05), 400],
  ['adam', new Adam(0.01, parameterCount([1, 16, 1])), 400],
] as const)('%s fits a bent line', (_, optimiser, rounds) => {
  const network = Network.random([1, 16, 1], seededDraws(9))
  const gradient = new Float64Array(network.parameters.length)
  const inputs = Array.from({ length: 21 }, (__, at) => at / 10 - 1)

  for (let round = 0; round < rounds; round++) {
    gradient.fill(0)
    for (const input of inputs) {
      const error = network.forward([input])[0]! - Math.abs(input)
      network.backward([error / inputs.length], gradient)
    }
    optimiser.step(network.parameters, gradient)
  }

  const worst = Math.max(...inputs.map((x) => Math.abs(network.forward([x])[0]! - Math.abs(x))))
  expect(worst).toBeLessThan(0.15)
})
