import { expect, test } from 'vitest'
import { changeOf, dimensionsOf, nameIn, rangeOf, readAsked, sortOf } from './question.ts'

test('an address without words asks for the campaigns of a week', () => {
  const asked = readAsked({})

  expect(dimensionsOf(asked)).toEqual(['campaign'])
  expect(rangeOf(asked.period, '2026-06-15')).toEqual({ from: '2026-06-09', to: '2026-06-15' })
  expect(sortOf(asked)).toEqual([{ by: 'impressions', direction: 'desc' }])
})

test('rows by time follow time, and the same dimension twice is once', () => {
  const asked = readAsked({ by: 'day', also: 'day' })

  expect(dimensionsOf(asked)).toEqual(['day'])
  expect(sortOf(asked)).toEqual([{ by: 'day', direction: 'asc' }])
})

test('a row has the name of its thing, or says that it is unknown', () => {
  expect(nameIn({ currency: 'EUR', campaignName: 'Autumn' }, 'campaign')).toBe('Autumn')
  expect(nameIn({ currency: 'EUR', country: null }, 'country')).toBe('Unknown')
})

test('a change is told where there was something before', () => {
  const row = { currency: 'EUR', clicks: 15, previous: { clicks: 10 } }

  expect(changeOf(row, 'clicks')).toBeCloseTo(0.5)
  expect(changeOf({ ...row, previous: null }, 'clicks')).toBeUndefined()
})
