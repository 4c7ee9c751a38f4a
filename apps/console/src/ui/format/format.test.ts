import { expect, test } from 'vitest'
import { sayMoney } from './format.ts'

test.each([
  ['12500000', 'EUR', '€12.50'],
  ['2800', 'EUR', '€0.0028'],
  ['0', 'EUR', '€0.00'],
  ['1000000000', 'JPY', 'JP¥1,000'],
  ['400000', 'JPY', 'JP¥0.40'],
  ['5000', 'KWD', 'KWD\u00a00.005'],
])(
  '%s micros of %s are %s, and an amount below the smallest coin is not shown as nothing',
  (...[amount, currency, words]) => {
    expect(sayMoney(amount, currency)).toBe(words)
  },
)
