import { expect, test } from 'vitest'
import { readerFacts } from './reader.ts'

const valuesOf = (context: Record<string, unknown>, isUserKnown = false) =>
  Object.fromEntries(readerFacts({ context, isUserKnown }).map(({ name, value }) => [name, value]))

test('the reader is told with all that the decision knew, and nothing else', () => {
  const context = {
    device: 'mobile',
    country: 'DE',
    segments: ['runners', 'high-intent'],
    newVisitor: false,
    loggedIn: true,
    lastPurchaseDaysAgo: 3,
  }

  expect(valuesOf(context, true)).toEqual({
    'User id': 'Given: frequency caps apply',
    Device: 'mobile',
    Country: 'Germany',
    Segments: 'runners, high-intent',
    Visitor: 'Returning',
    'Signed in': 'Yes',
    'Last purchase': '3 days ago: expected click rates are a tenth higher',
  })
  expect(valuesOf({})).toEqual({ 'User id': 'None' })
})

test('a purchase counts for fourteen days', () => {
  const told = (days: number) => valuesOf({ lastPurchaseDaysAgo: days })['Last purchase']

  expect(told(0)).toBe('Within the last day: expected click rates are a tenth higher')
  expect(told(14)).toMatch(/^14 days ago: expected/)
  expect(told(15)).toBe('15 days ago: too long ago to count')
})
