import { FIRST_STEPS as NAMES } from '@placard/contract/first-steps'
import { expect, test } from 'vitest'
import { PAGES } from '../../pages.ts'
import { FIRST_STEPS, nextOf } from './first-step-words.ts'

test('each step that the server names has words, and its button leads to a page of the console', () => {
  const paths = Object.values(FIRST_STEPS).flatMap(({ action }) =>
    action ? [action.to.split('?')[0]] : [],
  )

  expect(Object.keys(FIRST_STEPS)).toEqual(NAMES)
  expect(paths.filter((path) => !PAGES.some((page) => page.path === path))).toEqual([])
})

test('the next step is the first one that is not done', () => {
  const steps = [
    { name: 'publisher' as const, isDone: true },
    { name: 'site' as const, isDone: false },
    { name: 'placement' as const, isDone: false },
  ]

  expect(nextOf(steps)).toBe('site')
  expect(nextOf(steps.slice(0, 1))).toBeUndefined()
})
