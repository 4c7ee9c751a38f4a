import { expect, test } from 'vitest'
import { csvLine } from './exports/csv.ts'
import {
  chooseTable,
  chooseTotals,
  judgeQuestion,
  previousPeriod,
  type Question,
} from './report.ts'

const question = (fields: Partial<Question> = {}): Question => ({
  scope: { kind: 'platform', accountId: 1n },
  dimensions: ['day', 'campaign'],
  metrics: ['clicks'],
  from: '2026-06-01',
  to: '2026-06-30',
  timeZone: 'UTC',
  filters: {},
  sort: [],
  ...fields,
})

test('the report reads the smallest table that answers exactly', () => {
  expect(chooseTable(question())).toBe('campaigns')
  expect(chooseTable(question({ dimensions: ['month', 'advertiser'] }))).toBe('advertisers')
  expect(chooseTotals(question())).toBe('advertisers')
  expect(chooseTotals(question({ filters: { campaignId: [] } }))).toBe('campaigns')
  expect(chooseTotals(question({ dimensions: ['hour'] }))).toBe('quarters')
  expect(chooseTable(question({ filters: { label: ['valid'] } }))).toBe('campaigns')
  expect(chooseTable(question({ dimensions: ['day', 'country'] }))).toBe('days')
  expect(chooseTable(question({ filters: { siteId: [] } }))).toBe('days')
  expect(chooseTable(question({ scope: { kind: 'publisher', accountId: 1n } }))).toBe('days')
  expect(chooseTable(question({ dimensions: ['hour'] }))).toBe('quarters')
  expect(chooseTable(question({ timeZone: 'Asia/Kathmandu' }))).toBe('quarters')
})

test('the previous period has as many days and ends the day before', () => {
  expect(previousPeriod(question())).toEqual({ from: '2026-05-02', to: '2026-05-31', days: 30 })
  expect(previousPeriod(question({ from: '2026-03-01', to: '2026-03-01' }))).toEqual({
    from: '2026-02-28',
    to: '2026-02-28',
    days: 1,
  })
})

test('a range is in order and limited, and rows are sorted by a column of the report', () => {
  expect(judgeQuestion(question())).toBe('fine')
  expect(judgeQuestion(question({ to: '2026-05-31' }))).toBe('range-reversed')
  expect(judgeQuestion(question({ to: '2029-01-01' }))).toBe('range-too-long')
  expect(judgeQuestion(question({ sort: [{ by: 'ctr', direction: 'asc' }] }))).toBe('sort-unknown')
})

test('a cell with commas, quotes or lines is quoted, and a formula is disarmed', () => {
  expect(csvLine(['a,b', 'say "x"', 'two\nlines', null, -1.5])).toBe(
    '"a,b","say ""x""","two\nlines",,-1.5\r\n',
  )
  expect(csvLine(['=cmd()', '+1', '@x', '-5'])).toBe("'=cmd(),+1,'@x,-5\r\n".replace(',+1', ",'+1"))
})
