import { expect, test } from 'vitest'
import { seededDraws } from '../random.ts'
import {
  areaUnderCurve,
  calibrationError,
  normalisedEntropy,
  predictedOverActual,
} from './metrics.ts'

test('always predicting the mean rate has a normalised entropy of exactly 1', () => {
  expect(normalisedEntropy({ rates: [0.25, 0.25, 0.25, 0.25], clicks: [0, 1, 0, 0] })).toBe(1)
})

test('the area under the curve is the share of pairs in the right order, ties count half', () => {
  const draws = seededDraws(1)
  const rates = Array.from({ length: 200 }, () => Math.round(draws.next() * 20) / 20)
  const clicks = rates.map((rate) => (draws.next() < rate ? 1 : 0))

  let right = 0
  let pairs = 0
  rates.forEach((high, one) => {
    rates.forEach((low, other) => {
      if (clicks[one] !== 1 || clicks[other] !== 0) return
      pairs++
      right += high > low ? 1 : high === low ? 0.5 : 0
    })
  })
  expect(areaUnderCurve({ rates, clicks })).toBeCloseTo(right / pairs, 12)
})

test('the calibration error is the mean error of the bins', () => {
  const rates = [0.1, 0.1, 0.6, 0.6]
  expect(calibrationError({ rates, clicks: [0, 0, 1, 1] }, 2)).toBeCloseTo(0.25, 12)
  expect(predictedOverActual({ rates, clicks: [0, 0, 1, 1] })).toBeCloseTo(0.7, 12)
})
