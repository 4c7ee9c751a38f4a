import { expect, test } from 'vitest'
import { amountEdit, dateEdit, labelsEdit } from './edits.ts'

const amount = { name: 'budgetDaily', currency: 'EUR' } as const

test('typed percentages and amounts become an edit, and text that is none becomes nothing', () => {
  expect(amountEdit({ ...amount, way: 'raise', text: '7,5 %' })).toEqual({
    budgetDaily: { percent: 7.5 },
  })
  expect(amountEdit({ ...amount, way: 'lower', text: '10' })).toEqual({
    budgetDaily: { percent: -10 },
  })
  expect(amountEdit({ ...amount, way: 'set', text: '12.50' })).toEqual({
    budgetDaily: { setMicros: '12500000', currency: 'EUR' },
  })
  expect(amountEdit({ ...amount, way: 'remove', text: '' })).toEqual({
    budgetDaily: { setMicros: null },
  })
  for (const text of ['', 'much', '-5', '0', '1001']) {
    expect(amountEdit({ ...amount, way: 'raise', text })).toBeUndefined()
  }
})

test('a date is read in the zone of the user, and days move start and end', () => {
  const typed = { at: '2030-02-01T10:00', days: '-3', zone: 'Europe/Berlin' }
  expect(dateEdit({ ...typed, way: 'end' })).toEqual({ endsAt: '2030-02-01T09:00:00.000Z' })
  expect(dateEdit({ ...typed, way: 'shift' })).toEqual({ shiftDays: -3 })
  expect(dateEdit({ ...typed, way: 'open-end' })).toEqual({ endsAt: null })
  expect(dateEdit({ ...typed, way: 'shift', days: '1.5' })).toBeUndefined()
  expect(dateEdit({ ...typed, way: 'start', at: '' })).toBeUndefined()
})

test('labels are typed with commas between them', () => {
  expect(labelsEdit('add', 'cars, boats,, cars')).toEqual({ addLabels: ['cars', 'boats'] })
  expect(labelsEdit('remove', 'cars')).toEqual({ removeLabels: ['cars'] })
  expect(labelsEdit('add', ' , ')).toBeUndefined()
})
