import { expect, test } from 'vitest'
import { type CsvColumn, columnNamed } from './columns.ts'
import { idsIn, planImport } from './import.ts'
import { parseCsv } from './parse.ts'

const ID = '01890000-0000-7000-8000-000000000001'
const column = (field: string, type: CsvColumn['type'] = 'text', isPatchable = true) => ({
  field,
  heading: field.charAt(0).toUpperCase() + field.slice(1),
  type,
  isCreatable: field !== 'id' && field !== 'status',
  isPatchable: isPatchable && field !== 'id',
})
const importing = {
  columns: [
    column('id'),
    column('name'),
    { ...column('budgetDailyMicros', 'amount'), heading: 'Budget daily' },
    column('mayExceed', 'boolean'),
    column('categories', 'list'),
    column('status', 'text', false),
  ],
  known: new Map([
    [
      ID,
      {
        id: ID,
        name: '=sum, "quoted"\nlines',
        budgetDailyMicros: '12500000',
        mayExceed: false,
        categories: ['596', '597'],
        status: 'draft',
      },
    ],
  ]),
  checkCreate: () => [],
  checkPatch: () => [],
}
const HEAD = 'Id,Name,Budget daily,MayExceed,Categories,Status\r\n'
const OWN = `${ID},"'=sum, ""quoted""\nlines",12.5,no,596; 597,draft\r\n`
const plan = (text: string) => planImport(text, importing)

test('cells keep commas, quotes and lines, and each row knows the line where it begins', () => {
  expect(parseCsv('\uFEFFa,"b ""x"", y\nz"\n\n1,2')).toEqual({
    rows: [
      { line: 1, cells: ['a', 'b "x", y\nz'] },
      { line: 4, cells: ['1', '2'] },
    ],
  })
  expect(parseCsv('a,b\n"open')).toEqual({ openQuoteAt: 2 })
  expect(parseCsv('a,b,')).toEqual({ rows: [{ line: 1, cells: ['a', 'b', ''] }] })
})

test('a line that says what is so changes nothing; another changes only the cells that differ', () => {
  expect(plan(HEAD + OWN)).toMatchObject({ faults: [], lines: [{ line: 2, change: undefined }] })
  expect(plan(HEAD + OWN.replace('12.5,no', ',yes')).lines[0]!.change).toEqual({
    do: 'patch',
    fields: { budgetDailyMicros: null, mayExceed: true },
  })
  expect(idsIn(HEAD + OWN)).toEqual([ID])
})

test('a line without an id makes a row from its cells, and ignores what it cannot write', () => {
  expect(plan(`${HEAD},New,3,,,draft`).lines[0]!.change).toEqual({
    do: 'create',
    fields: { name: 'New', budgetDailyMicros: '3000000' },
  })
})

test('every fault is named by line and column, and then no line is planned for use', () => {
  const other = ID.replace(/1$/, '2')
  const text = `${HEAD}${OWN.replace('12.5,no', 'much,perhaps').replace('draft', 'active')}${other},x\n`
  expect(plan(text).faults).toEqual([
    { path: 'line 2, column Budget daily', message: 'must be an amount such as 12.50' },
    { path: 'line 2, column MayExceed', message: 'must be yes or no' },
    { path: 'line 2, column Status', message: 'cannot be changed' },
    { path: 'line 4, column Id', message: 'names nothing that you can change here' },
  ])
  expect(plan('Id,Nonsense,name,NAME\n1,2,3,4').faults).toEqual([
    { path: 'line 1, column Nonsense', message: 'is no column of this list' },
    { path: 'line 1, column NAME', message: 'is there twice' },
  ])
  expect(plan('').faults).toHaveLength(1)
  expect(columnNamed(importing.columns, 'budget_daily_micros')?.heading).toBe('Budget daily')
})
