import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  compareAfterChanges,
  compareOnce,
  compareWithFresh,
  type Outcome,
} from './testing/agreement.ts'

/** `bench/engine/agreement.ts` runs the long form. */
const RUNS = 2_000
const SEED = 20_260_308

function alwaysAgrees(compare: (seed: number, size: number) => Outcome): void {
  const property = fc.property(fc.nat(), fc.integer({ min: 1, max: 12 }), (seed, size) => {
    const { engine, reference } = compare(seed, size)
    expect(engine).toEqual(reference)
  })
  fc.assert(property, { numRuns: RUNS, seed: SEED })
}

test('the engine decides what filtering everything, sorting and taking two decides', () => {
  alwaysAgrees(compareOnce)
})

test('it does so after any changes in place', () => {
  alwaysAgrees(compareAfterChanges)
})

test('an index changed in place answers as one built afresh', () => {
  alwaysAgrees(compareWithFresh)
})
