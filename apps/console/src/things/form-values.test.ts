import { expect, test } from 'vitest'
import type { Me } from '../api/types.ts'
import { changeBody, fieldsFor, newBody, valuesOf } from './form-values.ts'
import type { ThingField } from './thing.ts'

const FIELDS: readonly ThingField[] = [
  { name: 'name', label: 'Name', entry: { as: 'text' } },
  { name: 'currency', label: 'Currency', entry: { as: 'currency' }, only: 'make' },
  { name: 'budget', label: 'Budget', entry: { as: 'money' }, isOptional: true },
  { name: 'lines', label: 'Lines', entry: { as: 'lines' }, isOptional: true },
  { name: 'isOn', label: 'On', entry: { as: 'switch' }, isOptional: true, only: 'change' },
]
const me = { name: 'Ada' } as Me

test('a new thing is sent without the optional fields that nobody filled in', () => {
  const fields = fieldsFor(FIELDS, true)
  const values = { ...valuesOf(fields, undefined, me), name: 'Harbour', currency: 'EUR' }

  expect(newBody(fields, values)).toEqual({ name: 'Harbour', currency: 'EUR' })
  expect(newBody(fields, { ...values, budget: '12.5', lines: ' a \n\nb' })).toMatchObject({
    budget: '12500000',
    lines: ['a', 'b'],
  })
})

test('a change sends only what was changed, and clears what was emptied', () => {
  const row = { name: 'Harbour', budget: '12500000', lines: ['a', 'b'], isOn: true }
  const fields = fieldsFor(FIELDS, false)
  const before = valuesOf(fields, row, me)

  expect(before).toEqual({ name: 'Harbour', budget: '12.5', lines: 'a\nb', isOn: true })
  expect(changeBody(fields, { before, values: before })).toEqual({})
  expect(
    changeBody(fields, { before, values: { ...before, budget: '', lines: '', isOn: false } }),
  ).toEqual({ budget: null, lines: [], isOn: false })
})

test('an amount that cannot be read is sent as typed, so that the server can name the fault', () => {
  const fields = fieldsFor(FIELDS, true)
  const values = { ...valuesOf(fields, undefined, me), budget: 'a lot' }

  expect(newBody(fields, values)).toMatchObject({ budget: 'a lot' })
})

test('a field that the other values hide is not sent', () => {
  const hidden = { ...FIELDS[2], when: () => false }
  const values = { budget: '5' }

  expect(newBody([hidden], values)).toEqual({})
})
