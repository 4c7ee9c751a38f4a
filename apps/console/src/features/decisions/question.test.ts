import { expect, test } from 'vitest'
import { formOf, questionOf, readRequest } from './question.ts'

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

test('a question with a reader is asked as it is, also what the form has no field for', () => {
  const question = {
    placement: 'home',
    adId: '01990000-0000-7000-8000-000000000001',
    userContext: { country: 'DE', loggedIn: false, segments: ['a', 'b'], categories: ['596'] },
  }

  expect(questionOf(formOf(question))).toEqual(question)
})
