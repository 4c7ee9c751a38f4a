import { expect, test } from 'vitest'
import { clicksOf, parseLimits } from './limits.ts'
import { ratesContract } from './rates-contract.ts'
import { MemoryRates } from './rates.ts'

ratesContract('rates of one process', (sendersMax) =>
  sendersMax === undefined ? new MemoryRates() : new MemoryRates({ sendersMax }),
)

test('limits come from a setting; clicks get a fifth of them, at least three', () => {
  expect(parseLimits('40,120,1000,5000')).toEqual([40, 120, 1_000, 5_000])
  expect(clicksOf([10, 120, 1_000, 5_000])).toEqual([3, 24, 200, 1_000])
})
