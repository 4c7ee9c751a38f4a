import { expect, test } from 'vitest'
import { questionOf, readRequest } from './question.ts'

test('a request is built from what was chosen, and nothing else', () => {
  expect(
    questionOf({ placement: 'home', country: 'de', visitor: 'guest', segments: 'a, b' }),
  ).toEqual({
    placement: 'home',
    userContext: { country: 'DE', loggedIn: false, segments: ['a', 'b'] },
  })
  expect(questionOf({})).toEqual({})
})

test('a pasted request is asked as it is', () => {
  const request = '{"placementType":"feed","floor":2}'

  expect(questionOf({ request, placement: 'home' })).toEqual({ placementType: 'feed', floor: 2 })
})

test('what is no request is none', () => {
  expect(['', '{', '[1]', 'null', '7'].map(readRequest)).toEqual(Array(5).fill(undefined))
})
