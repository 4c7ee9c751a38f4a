import { expect, test } from 'vitest'
import { byHour, changeOf, type HourRow, sumDay } from './today-figures.ts'

const row = (hour: string, spendMicros: string, currency = 'EUR'): HourRow => ({
  hour,
  currency,
  impressions: 60,
  clicks: 6,
  spendMicros,
  revenueMicros: '0',
})

test('yesterday counts up to the same minute, the current hour in part', () => {
  const rows = [
    row('2026-06-14T08:00', '1000000'),
    row('2026-06-14T09:00', '3000000'),
    row('2026-06-14T10:00', '9000000'),
    row('2026-06-15T08:00', '2000000'),
  ]

  const { today, before } = sumDay(rows, '2026-06-15T09:20', '2026-06-14')

  expect(today.money.get('EUR')?.spend).toBe(2_000_000n)
  expect(before.money.get('EUR')?.spend).toBe(2_000_000n)
  expect(before.impressions).toBe(80)
})

test('amounts of two currencies are separate, and the most used currency is the main one', () => {
  const rows = [
    row('2026-06-15T08:00', '5', 'USD'),
    row('2026-06-15T08:00', '7'),
    row('2026-06-15T09:00', '1'),
  ]

  const { today, currency } = sumDay(rows, '2026-06-15T12:00', '2026-06-14')

  expect(currency).toBe('EUR')
  expect([today.money.get('EUR')?.spend, today.money.get('USD')?.spend]).toEqual([8n, 5n])
})

test('without a previous value there is no change', () => {
  expect(changeOf(5, 0)).toBeUndefined()
  expect(changeOf(150n, 100n)).toBeCloseTo(0.5)
})

test('hours to come are empty, not zero', () => {
  const values = byHour([row('2026-06-15T01:00', '2500000')], {
    day: '2026-06-15',
    currency: 'EUR',
    until: 2,
  })

  expect(values.slice(0, 4)).toEqual([0, 2.5, 0, null])
})
