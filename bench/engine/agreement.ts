import { isDeepStrictEqual } from 'node:util'
import {
  compareAfterChanges,
  compareAuction,
  compareOnce,
} from '../../packages/decision-engine/src/testing/agreement.ts'

/** The long version of the agreement test: `node bench/engine/agreement.ts [cases] [first seed]`. */
const cases = Number(process.argv[2] ?? 100_000)
const firstSeed = Number(process.argv[3] ?? 1)
const COMPARISONS = [compareOnce, compareAfterChanges, compareAuction]
let mismatches = 0
let filled = 0

for (let at = 0; at < cases; at++) {
  const seed = firstSeed + at
  const compare = COMPARISONS[at % COMPARISONS.length]!
  const { engine, reference } = compare(seed, 1 + (seed % 14))
  if (JSON.stringify(engine).includes('"chargeMicros"')) filled++
  if (isDeepStrictEqual(engine, reference)) continue
  mismatches++
  if (mismatches < 4) {
    console.error(`seed ${seed}: ${JSON.stringify(engine)}\n  but ${JSON.stringify(reference)}`)
  }
}
console.log(JSON.stringify({ cases, firstSeed, filled, mismatches }))
