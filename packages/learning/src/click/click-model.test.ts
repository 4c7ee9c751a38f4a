import { describe, expect, test } from 'vitest'
import { seededDraws } from '../random.ts'
import { Calibration } from './calibration.ts'
import { ClickModel } from './click-model.ts'
import { featureIndexes } from './features.ts'
import { WATCH_DEFAULTS } from './watch.ts'

const indexes = featureIndexes({ site: 'a' }, 18)

function feed(
  model: ClickModel,
  { rate, rows, seed }: { rate: number; rows: number; seed: number },
) {
  const draws = seededDraws(seed)
  let predicted = 0
  for (let row = 0; row < rows; row++) predicted += model.learn({ indexes }, draws.next() < rate)
  return predicted / rows
}

const odds = (rate: number) => rate / (1 - rate)

describe('ClickModel', () => {
  test('starts at the prior of the request', () => {
    const model = new ClickModel({ prior: 0.012 })

    expect(model.predict({ indexes })).toBeCloseTo(0.012, 4)
    expect(model.predict({ indexes, prior: 0.02 })).toBeCloseTo(0.02, 4)
  })

  test('follows traffic whose rate falls to a quarter', () => {
    const model = new ClickModel({ prior: 0.02 })
    feed(model, { rate: 0.02, rows: 20_000, seed: 1 })

    feed(model, { rate: 0.005, rows: 5_000, seed: 2 })

    const mean = feed(model, { rate: 0.005, rows: 5_000, seed: 3 })
    expect(mean).toBeGreaterThan(0.003)
    expect(mean).toBeLessThan(0.008)
  })

  test('a sampled log gives the rate of the whole log', () => {
    const model = new ClickModel({ prior: 0.02, negativeShare: 0.1 })
    const draws = seededDraws(8)
    for (let row = 0; row < 60_000; row++) {
      const clicked = draws.next() < 0.02
      if (clicked || draws.next() < 0.1) model.learn({ indexes }, clicked)
    }

    expect(model.predict({ indexes })).toBeGreaterThan(0.015)
    expect(model.predict({ indexes })).toBeLessThan(0.026)
  })

  test('answers with the prior while its predictions are off, and gives the reason', () => {
    const watch = { ...WATCH_DEFAULTS, memory: 2_000 }
    const model = new ClickModel({ prior: 0.03, watch })
    feed(model, { rate: 0.03, rows: 8_000, seed: 1 })
    expect(model.verdict).toBe('sound')

    feed(model, { rate: 0.4, rows: 200, seed: 2 })

    expect(model.verdict).toBe('predicts-too-little')
    expect(model.predict({ indexes, prior: 0.013 })).toBe(0.013)
    expect(model.adTerm(indexes)).toBe(0)
  })

  test('answers with its own predictions when they are right again', () => {
    const model = new ClickModel({ prior: 0.01, watch: { ...WATCH_DEFAULTS, memory: 2_000 } })
    feed(model, { rate: 0.2, rows: 300, seed: 2 })

    feed(model, { rate: 0.2, rows: 10_000, seed: 3 })

    expect(model.verdict).toBe('sound')
    expect(model.predict({ indexes })).toBeCloseTo(0.2, 1)
  })

  test('the ad term and the context make up the whole margin', () => {
    const context = featureIndexes({ placementType: 'story', hour: 3 }, 18)
    const ad = featureIndexes({ ad: 'one', campaign: 'c' }, 18)
    const both = Uint32Array.from([...context, ...ad])
    const model = new ClickModel({ prior: 0.02 })
    const draws = seededDraws(3)
    for (let row = 0; row < 500; row++) model.learn({ indexes: both }, draws.next() < 0.1)

    const composed = odds(model.predict({ indexes: context })) * Math.exp(model.adTerm(ad))
    expect(composed).toBeCloseTo(odds(model.predict({ indexes: both })), 12)
  })

  test('a restored model predicts and learns like the original', () => {
    const first = new ClickModel({ prior: 0.02, negativeShare: 0.5 })
    feed(first, { rate: 0.03, rows: 500, seed: 4 })

    const second = ClickModel.restore(JSON.parse(JSON.stringify(first.snapshot())))
    feed(first, { rate: 0.03, rows: 500, seed: 5 })
    feed(second, { rate: 0.03, rows: 500, seed: 5 })

    expect(second.snapshot()).toEqual(first.snapshot())
  })
})

describe('Calibration', () => {
  test('two clicks hardly move the factor', () => {
    const calibration = new Calibration()
    calibration.note(0.01, { clicked: true, weight: 1 })
    calibration.note(0.01, { clicked: true, weight: 1 })

    expect(calibration.factor).toBeGreaterThan(1)
    expect(calibration.factor).toBeLessThan(1.5)
  })

  test('finds the factor of steady traffic', () => {
    const calibration = new Calibration()
    const draws = seededDraws(6)
    for (let row = 0; row < 40_000; row++) {
      calibration.note(0.01, { clicked: draws.next() < 0.02, weight: 1 })
    }

    expect(calibration.factor).toBeGreaterThan(1.6)
    expect(calibration.factor).toBeLessThan(2.4)
  })
})
