import { expect, test } from 'vitest'
import { readInstant, readMoney, sayMoney, typedInstant } from '../../ui/format/format.ts'
import { ofHours, plannedByHour, spentByHour } from './plan.ts'

const row = (hour: string, spendMicros: string) => ({
  hour: `2026-06-15T${hour}:00`,
  impressions: 10,
  clicks: 1,
  spendMicros,
})

test('spend adds up over the day until the current hour', () => {
  const spent = spentByHour([row('00', '1500000'), row('02', '500000')], 2)

  expect(spent.slice(0, 4)).toEqual([1.5, 1.5, 2, null])
})

test('the plan is a straight line to the full budget', () => {
  const plan = plannedByHour('24000000')

  expect([plan[0], plan[11], plan[23]]).toEqual([1, 12, 24])
})

test('a past hour without a row is zero, an hour to come is empty', () => {
  expect(ofHours([row('01', '0')], 1, ({ impressions }) => impressions).slice(0, 3)).toEqual([
    0,
    10,
    null,
  ])
})

test('a typed amount is exact to the millionth, and other text is refused', () => {
  expect(readMoney('12.5')).toBe('12500000')
  expect(readMoney('1 200,000001')).toBe('1200000001')
  expect(readMoney('')).toBeUndefined()
  expect(readMoney('-3')).toBeUndefined()
})

test('money is formatted exactly, and below a cent with four digits', () => {
  expect(sayMoney('9007199254740993000000', 'EUR')).toBe('€9,007,199,254,740,993.00')
  expect(sayMoney('4200', 'EUR')).toBe('€0.0042')
})

test('local time of a zone is an instant, even across a clock change', () => {
  expect(readInstant('2026-06-15T09:00', 'Europe/Berlin')).toBe('2026-06-15T07:00:00.000Z')
  expect(readInstant('2026-03-29T12:00', 'Europe/Berlin')).toBe('2026-03-29T10:00:00.000Z')
  expect(typedInstant('2026-12-01T00:00:00Z', 'Asia/Kolkata')).toBe('2026-12-01T05:30')
  expect(readInstant('', 'UTC')).toBeNull()
})
