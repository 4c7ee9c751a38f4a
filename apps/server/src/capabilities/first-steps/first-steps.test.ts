import { FIRST_STEPS } from '@placard/contract/first-steps'
import { expect, test } from 'vitest'
import { isOpen, missingSettings, sayFailure, type StepFacts, stepsOf } from './first-steps.ts'

const factsOf = (isDone: boolean) =>
  Object.fromEntries(FIRST_STEPS.map((name) => [name, isDone])) as StepFacts

test('the list is open in production while a step is missing and nobody has put it aside', () => {
  const steps = stepsOf({ ...factsOf(true), impression: false })
  const ground = { steps, isProduction: true, isPutAside: false }

  expect(isOpen(ground)).toBe(true)
  expect(isOpen({ ...ground, isPutAside: true })).toBe(false)
  expect(isOpen({ ...ground, isProduction: false })).toBe(false)
  expect(isOpen({ ...ground, steps: stepsOf(factsOf(true)) })).toBe(false)
})

test('mails need all three settings, and those that are missing are named', () => {
  expect(missingSettings({ SMTP_URL: 'smtp://mail.example' })).toEqual(['MAIL_FROM', 'PUBLIC_URL'])
})

test('a failure is told on one line of bounded length', () => {
  expect(sayFailure(new Error('550 no\r\nrelay'))).toBe('550 no relay')
  expect(sayFailure('x'.repeat(1_000))).toHaveLength(500)
})
