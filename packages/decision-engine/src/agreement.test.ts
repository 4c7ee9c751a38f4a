import { assert, integer, nat, property } from 'fast-check'
import { expect, test } from 'vitest'
import {
  compareAfterChanges,
  compareAuction,
  compareOnce,
  compareWithFresh,
  type Outcome,
} from './testing/agreement.ts'

/** `bench/engine/agreement.ts` runs the long form. */
const RUNS = 1_500
const TIMEOUT_MS = 60_000
const SEED = 20_260_308

function assertAgreement(compare: (seed: number, size: number) => Outcome): void {
  const agrees = property(nat(), integer({ min: 1, max: 12 }), (seed, size) => {
    const { engine, reference } = compare(seed, size)
    expect(engine).toEqual(reference)
  })
  assert(agrees, { numRuns: RUNS, seed: SEED })
}

test(
  'the engine decides as plain code that filters everything, sorts and takes the best two',
  () => {
    expect(() => assertAgreement(compareOnce)).not.toThrow()
  },
  TIMEOUT_MS,
)

test(
  'the engine agrees with plain code among close and equal bids, with and without click terms',
  () => {
    expect(() => assertAgreement(compareAuction)).not.toThrow()
  },
  TIMEOUT_MS,
)

test(
  'the engine agrees with plain code after any changes in place',
  () => {
    expect(() => assertAgreement(compareAfterChanges)).not.toThrow()
  },
  TIMEOUT_MS,
)

test(
  'an index changed in place answers like one built from the same rows',
  () => {
    expect(() => assertAgreement(compareWithFresh)).not.toThrow()
  },
  TIMEOUT_MS,
)
