import { expect, test } from 'vitest'
import { micros, share, toDecimal } from './index.ts'

test('a share is rounded down, so that parts never add up to more than the whole', () => {
  expect(share(micros(100n), { part: 1, whole: 3 })).toBe(33n)
  expect(share(micros(100n), { part: 2, whole: 3 })).toBe(66n)
  expect(share(micros(100n), { part: 0, whole: 3 })).toBe(0n)
  expect(share(micros(100n), { part: 3, whole: 3 })).toBe(100n)
  expect(() => share(micros(100n), { part: 4, whole: 3 })).toThrow('4 of 3')
  expect(() => share(micros(100n), { part: -1, whole: 3 })).toThrow('-1 of 3')
})

test.each([
  [1_250_000n, '1.25'],
  [0n, '0'],
  [1n, '0.000001'],
  [-2_500_000n, '-2.5'],
  [9_007_199_254_740_993n, '9007199254.740993'],
])('%d micros read as %s, exactly', (amount, text) => {
  expect(toDecimal(micros(amount))).toBe(text)
})
