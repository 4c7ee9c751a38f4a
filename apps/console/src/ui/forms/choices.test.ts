import { expect, test } from 'vitest'
import { findChoices } from './choices.ts'

const COUNTRIES = [
  { value: 'DE', label: 'Germany' },
  { value: 'CH', label: 'Switzerland', note: 'German, French, Italian' },
  { value: 'FR', label: 'France' },
]
const found = (search: string) => findChoices(COUNTRIES, search).map(({ value }) => value)

test('a choice is found by its label, its note or its code, in any case', () => {
  expect(found('germ')).toEqual(['DE', 'CH'])
  expect(found('FRENCH')).toEqual(['CH'])
  expect(found('fr')).toEqual(['CH', 'FR'])
})

test('every typed word must be found', () => {
  expect(found('german swi')).toEqual(['CH'])
  expect(found('german spain')).toEqual([])
})

test('nothing typed finds everything', () => {
  expect(found('  ')).toEqual(['DE', 'CH', 'FR'])
})
