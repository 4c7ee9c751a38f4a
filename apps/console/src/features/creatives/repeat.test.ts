import { expect, test } from 'vitest'
import { repeatOf, ruleOf } from './repeat.ts'

test.each([
  null,
  'FREQ=DAILY;INTERVAL=3',
  'FREQ=WEEKLY;BYDAY=MO,FR',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU',
  'FREQ=WEEKLY;BYDAY=MO;UNTIL=20301231',
])('the form keeps %s as it is', (rule) => {
  expect(ruleOf(repeatOf(rule))).toBe(rule)
})

test('without a rule the schedule is every day', () => {
  expect(repeatOf('FREQ=DAILY').kind).toBe('always')
  expect(ruleOf(repeatOf('FREQ=DAILY'))).toBeNull()
})

test('a weekly rule lists its days in the order of the week', () => {
  const repeat = { kind: 'weekly', every: '1', days: ['SU', 'MO'], rule: '' } as const

  expect(ruleOf(repeat)).toBe('FREQ=WEEKLY;BYDAY=MO,SU')
})
