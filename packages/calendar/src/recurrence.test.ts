import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  formatRecurrence,
  needsFirstDay,
  parseRecurrence,
  WEEKDAYS,
  type Recurrence,
} from './recurrence.ts'

const recurrences: fc.Arbitrary<Recurrence> = fc.record({
  frequency: fc.constantFrom('DAILY' as const, 'WEEKLY' as const),
  interval: fc.integer({ min: 1, max: 366 }),
  weekdays: fc.subarray([...WEEKDAYS]),
  until: fc.option(
    fc
      .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().replaceAll(/[-:]|\.\d+/g, '')),
    { nil: undefined },
  ),
})

test('a formatted rule parses back to the same rule', () => {
  fc.assert(
    fc.property(recurrences, (recurrence) => {
      expect(parseRecurrence(formatRecurrence(recurrence))).toEqual({ recurrence, faults: [] })
    }),
  )
})

test('any text either parses or has its faults listed, never both and never neither', () => {
  const words = fc.constantFrom('FREQ=DAILY', 'FREQ=X', 'BYDAY=MO,XX', ';', 'UNTIL=2', 'COUNT=1')
  const texts = fc.oneof(
    fc.string(),
    fc.array(words).map((parts) => parts.join(';')),
  )

  fc.assert(
    fc.property(texts, (text) => {
      const { recurrence, faults } = parseRecurrence(text)
      expect(recurrence === undefined).toBe(faults.length > 0)
    }),
  )
})

test('case, order, spaces around parts and the RRULE prefix do not matter', () => {
  const { recurrence } = parseRecurrence('rrule:byday=su,mo,mo; freq=weekly')

  expect(recurrence).toEqual({
    frequency: 'WEEKLY',
    interval: 1,
    weekdays: ['MO', 'SU'],
    until: undefined,
  })
})

test.each([
  ['', ['"" is not NAME=VALUE', 'FREQ is missing']],
  ['FREQ=MONTHLY', ['FREQ=MONTHLY is not DAILY or WEEKLY']],
  ['FREQ=DAILY;COUNT=3', ['COUNT is not supported']],
  ['FREQ=DAILY;FREQ=WEEKLY', ['FREQ is there twice']],
  ['FREQ=DAILY;INTERVAL=0', ['INTERVAL=0 is not from 1 to 366']],
  ['FREQ=DAILY;INTERVAL=367', ['INTERVAL=367 is not from 1 to 366']],
  ['FREQ=WEEKLY;BYDAY=1MO', ['BYDAY=1MO must name days as MO,TU,WE,TH,FR,SA,SU']],
  ['FREQ=DAILY;UNTIL=20260230', ['UNTIL=20260230 is not YYYYMMDD[THHMMSSZ]']],
  ['FREQ=DAILY;UNTIL=20260201T250000Z', ['UNTIL=20260201T250000Z is not YYYYMMDD[THHMMSSZ]']],
  [
    'BYDAY=XX;INTERVAL=x;nonsense',
    [
      '"NONSENSE" is not NAME=VALUE',
      'BYDAY=XX must name days as MO,TU,WE,TH,FR,SA,SU',
      'INTERVAL=X is not from 1 to 366',
      'FREQ is missing',
    ],
  ],
])('every fault is listed: %s', (text, faults) => {
  expect(parseRecurrence(text).faults).toEqual(faults)
})

test('a rule with an interval, or WEEKLY without BYDAY, needs a first day', () => {
  expect(needs('FREQ=DAILY')).toBe(false)
  expect(needs('FREQ=WEEKLY;BYDAY=MO')).toBe(false)
  expect(needs('FREQ=WEEKLY')).toBe(true)
  expect(needs('FREQ=DAILY;INTERVAL=2')).toBe(true)
})

const needs = (text: string) => needsFirstDay(parseRecurrence(text).recurrence!)
