import { expect, test } from 'vitest'
import { fieldLabel, fieldValue, inLabels } from './words.ts'

test.each([
  ['maxBidMicros', 'Maximum bid'],
  ['displayOrder', 'Display order'],
  ['advertiserId', 'Advertiser'],
  ['rateMicros', 'Rate'],
  ['name', 'Name'],
])('the field %s is called "%s"', (field, label) => {
  expect(fieldLabel(field)).toBe(label)
})

test('text of the server shows labels instead of field names', () => {
  expect(inLabels('First set startsAt to a time in the future.')).toBe(
    'First set “Starts” to a time in the future.',
  )
  expect(inLabels('Set `maxBidMicros` first.')).toBe('Set “Maximum bid” first.')
  expect(inLabels('Only 10.00 EUR of 100.00 EUR is spent. See example.com.')).toBe(
    'Only 10.00 EUR of 100.00 EUR is spent. See example.com.',
  )
})

test('a value is an exact decimal, yes or no, a list, or none', () => {
  expect(fieldValue('maxBidMicros', '1250000')).toBe('1.25')
  expect(fieldValue('isActive', false)).toBe('no')
  expect(fieldValue('categories', ['1', '52'])).toBe('1, 52')
  expect([null, '', []].map((value) => fieldValue('name', value))).toEqual(['none', 'none', 'none'])
})
