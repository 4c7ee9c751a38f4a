import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimal, decimalText, microsOf } from './amounts.ts'

test.each([
  [0, '0'],
  [1, '0.000001'],
  [10, '0.00001'],
  [2_010_000, '2.01'],
  [3_000_000, '3'],
  [1_234_567_890_123, '1234567.890123'],
])('%d micros are %s', (micros, text) => {
  expect(decimalText(micros)).toBe(text)
  expect(decimal(micros)).toBe(Number(text))
})

test('every amount up to a billion survives the round trip to the same micros', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000_000_000 }), (micros) => {
      expect(microsOf(decimal(micros))).toBe(micros)
      expect(JSON.stringify(decimal(micros))).toMatch(/^\d+(\.\d{1,6})?$|e-/)
    }),
  )
})

test.each([[-1], [Number.NaN], [Infinity], ['2'], [null], [2e9]])('%s is no amount', (amount) => {
  expect(microsOf(amount)).toBeUndefined()
})
