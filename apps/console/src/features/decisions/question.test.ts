import { expect, test } from 'vitest'
import { questionOf, readRequest } from './question.ts'

test('a request has only the chosen fields', () => {
  expect(
    questionOf({ placement: 'home', country: 'de', visitor: 'guest', segments: 'a, b' }),
  ).toEqual({
    placement: 'home',
    userContext: { country: 'DE', loggedIn: false, segments: ['a', 'b'] },
  })
  expect(questionOf({})).toEqual({})
})

test('a pasted request is sent unchanged', () => {
  const request = '{"placementType":"feed","floor":2}'

  expect(questionOf({ request, placement: 'home' })).toEqual({ placementType: 'feed', floor: 2 })
})

test('text that is no request gives none', () => {
  expect(['', '{', '[1]', 'null', '7'].map(readRequest)).toEqual(Array(5).fill(undefined))
})
