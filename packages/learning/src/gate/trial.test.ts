import { expect, test } from 'vitest'
import { seededDraws } from '../random.ts'
import { judgeTrial, sayTrial, type TrialMinute } from './trial.ts'

/** Minutes of two policies; the trial gets `worth` times the value for its money. */
function minutesOf(worth: number, { share = 0.25, count = 1_440, seed = 5 } = {}): TrialMinute[] {
  const draws = seededDraws(seed)
  return Array.from({ length: count }, () => {
    const isTrial = draws.next() < share
    const spend = 1_000 * (0.5 + draws.next())
    const luck = 0.5 + draws.next()
    return {
      isTrial,
      probability: isTrial ? share : 1 - share,
      spend,
      value: (spend / 100_000) * luck * (isTrial ? worth : 1),
    }
  })
}

test('a policy that pays more for the same is found worse by its own minutes, in words', () => {
  const judgement = judgeTrial(minutesOf(0.8))

  expect(judgement.verdict).toBe('worse')
  expect(judgement.gain).toBeCloseTo(-0.2, 1)
  expect(judgement.high).toBeLessThan(0)
  expect(sayTrial(judgement)).toMatch(
    /^Fell behind: -\d+\.\d % per spend in \d+ minutes of its own/,
  )
})

test('a policy that is as good, or better, is not', () => {
  expect(judgeTrial(minutesOf(1)).verdict).toBe('not-worse')
  expect(judgeTrial(minutesOf(1.2)).verdict).toBe('not-worse')
})

test('a policy that is as good is taken for worse in at most one of twenty cases', () => {
  const found = Array.from({ length: 400 }, (_, seed) => judgeTrial(minutesOf(1, { seed })))

  expect(found.filter(({ verdict }) => verdict === 'worse').length / 400).toBeLessThan(0.06)
})

test('a few minutes decide nothing', () => {
  const judgement = judgeTrial(minutesOf(0.5, { share: 0.01 }))

  expect(judgement).toMatchObject({ verdict: 'too-few-minutes' })
  expect(sayTrial(judgement)).toMatch(/too few to judge/)
})

test('minutes count by the chance they were drawn with, where a share has grown', () => {
  const early = minutesOf(1, { share: 0.05, count: 700 }).map((one) => ({
    ...one,
    spend: one.spend * 2,
  }))
  const late = minutesOf(1, { share: 0.25, count: 740 })

  expect(Math.abs(judgeTrial([...early, ...late]).gain)).toBeLessThan(0.12)
})
