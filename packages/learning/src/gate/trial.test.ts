import { expect, test } from 'vitest'
import { seededDraws } from '../random.ts'
import { judgeTrial, sayTrial, type TrialMinute } from './trial.ts'

/** Minutes of two policies. The trial gets `worth` times the value for the same money. */
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

test('a policy that pays more for the same value is judged worse by its minutes, with a sentence', () => {
  const judgement = judgeTrial(minutesOf(0.8))

  expect(judgement.verdict).toBe('worse')
  expect(judgement.gain).toBeCloseTo(-0.2, 1)
  expect(judgement.high).toBeLessThan(0)
  expect(sayTrial(judgement)).toMatch(
    /^Fell behind: -\d+\.\d % per spend in \d+ minutes of its own/,
  )
})

test('a policy that is as good or better is not judged worse', () => {
  expect(judgeTrial(minutesOf(1)).verdict).toBe('not-worse')
  expect(judgeTrial(minutesOf(1.2)).verdict).toBe('not-worse')
})

test('a policy that is as good is judged worse in at most 5 % of the cases', () => {
  const found = Array.from({ length: 400 }, (_, seed) => judgeTrial(minutesOf(1, { seed })))

  expect(found.filter(({ verdict }) => verdict === 'worse').length / 400).toBeLessThan(0.06)
})

test('a few minutes give no verdict', () => {
  const judgement = judgeTrial(minutesOf(0.5, { share: 0.01 }))

  expect(judgement).toMatchObject({ verdict: 'too-few-minutes' })
  expect(sayTrial(judgement)).toMatch(/too few to judge/)
})

test('minutes are weighted by the probability of their draw when the share has grown', () => {
  const early = minutesOf(1, { share: 0.05, count: 700 }).map((one) => ({
    ...one,
    spend: one.spend * 2,
  }))
  const late = minutesOf(1, { share: 0.25, count: 740 })

  expect(Math.abs(judgeTrial([...early, ...late]).gain)).toBeLessThan(0.12)
})
