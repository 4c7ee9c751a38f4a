import { describe, expect, test } from 'vitest'
import { seededDraws } from '../random.ts'
import { featureIndexes } from './features.ts'
import { Ftrl, type FtrlSettings } from './ftrl.ts'

/** The published update, one coordinate at a time. The bias is a coordinate without regularisation. */
class SlowFtrl {
  readonly coordinates = new Map<
    number | 'bias',
    { z: number; n: number; l1: number; l2: number }
  >()
  private readonly settings: FtrlSettings

  constructor(prior: number, settings: FtrlSettings) {
    this.settings = settings
    const start = Math.log(prior / (1 - prior))
    const z = (-start * settings.beta) / settings.alpha
    this.coordinates.set('bias', { z, n: 0, l1: 0, l2: 0 })
  }

  private at(name: number | 'bias') {
    const found = this.coordinates.get(name) ?? {
      z: 0,
      n: 0,
      l1: this.settings.l1,
      l2: this.settings.l2,
    }
    this.coordinates.set(name, found)
    return found
  }

  private weight(name: number | 'bias'): number {
    const { z, n, l1, l2 } = this.at(name)
    if (Math.abs(z) <= l1) return 0
    const { alpha, beta } = this.settings
    return -(z - Math.sign(z) * l1) / ((beta + Math.sqrt(n)) / alpha + l2)
  }

  predict(indexes: readonly number[]): number {
    const names: (number | 'bias')[] = ['bias', ...indexes]
    const margin = names.map((name) => this.weight(name)).reduce((sum, one) => sum + one, 0)
    return 1 / (1 + Math.exp(-margin))
  }

  step(indexes: readonly number[], g: number): void {
    const names: (number | 'bias')[] = ['bias', ...indexes]
    const weights = names.map((name) => this.weight(name))
    names.forEach((name, which) => {
      const one = this.at(name)
      const sigma = (Math.sqrt(one.n + g * g) - Math.sqrt(one.n)) / this.settings.alpha
      one.z += g - sigma * weights[which]!
      one.n += g * g
    })
  }
}

describe('Ftrl', () => {
  test.each([
    [{ bits: 6, alpha: 0.1, beta: 1, l1: 0, l2: 1 }],
    [{ bits: 6, alpha: 0.3, beta: 0.5, l1: 0.2, l2: 0 }],
  ])('agrees with the published update under %o', (settings) => {
    const draws = seededDraws(11)
    const fast = new Ftrl(0.03, settings)
    const slow = new SlowFtrl(0.03, settings)

    for (let row = 0; row < 3_000; row++) {
      const indexes = [0, 1, 2].map((field) => field * 20 + Math.floor(draws.next() * 20))
      const clicked = draws.next() < 0.02 + 0.1 * (indexes[0]! % 3 === 0 ? 1 : 0)
      const rate = fast.predict(Uint32Array.from(indexes))
      expect(rate).toBeCloseTo(slow.predict(indexes), 10)
      const weight = clicked ? 1 : 4
      fast.step(Uint32Array.from(indexes), (rate - (clicked ? 1 : 0)) * weight)
      slow.step(indexes, (rate - (clicked ? 1 : 0)) * weight)
    }
  })

  test('predicts the prior before it has learned', () => {
    expect(new Ftrl(0.004).predict(featureIndexes({ site: 'a', hour: 3 }, 18))).toBeCloseTo(
      0.004,
      12,
    )
  })

  test('learns the click rates of features', () => {
    const draws = seededDraws(2)
    const model = new Ftrl(0.1, { bits: 10, alpha: 0.1, beta: 1, l1: 0, l2: 0.1 })
    const [low, high] = ['low', 'high'].map((site) => featureIndexes({ site }, 10)) as [
      Uint32Array,
      Uint32Array,
    ]
    for (let row = 0; row < 20_000; row++) {
      const indexes = draws.next() < 0.5 ? low : high
      const clicked = draws.next() < (indexes === low ? 0.05 : 0.2)
      model.step(indexes, model.predict(indexes) - (clicked ? 1 : 0))
    }

    expect(model.predict(low)).toBeCloseTo(0.05, 1.7)
    expect(model.predict(high)).toBeCloseTo(0.2, 1.7)
  })

  test('a snapshot restores the model bit by bit, and leaves untouched indexes out', () => {
    const model = new Ftrl(0.02, { bits: 8, alpha: 0.1, beta: 1, l1: 0, l2: 1 })
    const indexes = featureIndexes({ site: 'a', ad: 7 }, 8)
    for (let round = 0; round < 10; round++) model.step(indexes, model.predict(indexes) - 1)

    const snapshot = model.snapshot()
    const again = Ftrl.restore(JSON.parse(JSON.stringify(snapshot)))

    expect(snapshot.indexes).toHaveLength(2)
    expect(again.predict(indexes)).toBe(model.predict(indexes))
    expect(again.snapshot()).toEqual(snapshot)
  })
})

describe('featureIndexes', () => {
  test('a list is one feature per value, a missing value is none', () => {
    expect(featureIndexes({ segments: ['a', 'b'], site: undefined }, 18)).toHaveLength(2)
    expect(featureIndexes({ hour: 3 }, 18)).toEqual(featureIndexes({ hour: '3' }, 18))
  })

  test('the field is part of the feature', () => {
    expect(featureIndexes({ site: 'x' }, 18)).not.toEqual(featureIndexes({ ad: 'x' }, 18))
  })

  test('indexes spread evenly over the table', () => {
    const counts = new Uint32Array(64)
    for (let ad = 0; ad < 64_000; ad++) counts[featureIndexes({ ad }, 6)[0]!]!++

    expect(Math.min(...counts)).toBeGreaterThan(850)
    expect(Math.max(...counts)).toBeLessThan(1_150)
  })
})
