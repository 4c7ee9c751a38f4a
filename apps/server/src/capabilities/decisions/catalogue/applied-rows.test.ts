import { createIndex } from '@placard/decision-engine'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Content } from './content.ts'
import { AppliedRows, SPAN_UNITS } from './applied-rows.ts'
import { plainBudgets } from '../serving/testing-ports.ts'

const someAppliedRows = () =>
  new AppliedRows(
    'creative_approvals',
    {
      index: createIndex({ expectedAds: 1 }),
      content: new Content(),
      budgets: plainBudgets(),
    },
    { refuse: () => {}, clear: () => false },
  )

const spanOf = (unit: number) => Math.floor(unit / SPAN_UNITS)

const aRow = (unit: number, stamp: number) => ({ unit, stamp, siteKey: 1, bannerKey: unit })

/** Adds stamps up by span, as the database does. */
function sumsOf(stamps: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  const sums = new Map<number, number>()
  for (const [unit, stamp] of stamps) {
    sums.set(spanOf(unit), (sums.get(spanOf(unit)) ?? 0) + stamp)
  }
  return sums
}

const unit = fc.integer({ min: 1, max: SPAN_UNITS * 4 })
const stamp = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).filter((stamp) => stamp !== 0)
const step = fc.record({ unit, stamp: fc.option(stamp, { nil: undefined }) })

test('after any changes the span sums match the stamps, and a differing unit is found', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(unit, stamp), { selector: ([unit]) => unit }),
      fc.array(step),
      step,
      (loaded, steps, lost) => {
        const applied = someAppliedRows()
        const stamps = new Map(loaded)
        applied.load(loaded.map(([unit, stamp]) => aRow(unit, stamp)))
        for (const { unit, stamp } of steps) {
          applied.refresh(unit, stamp === undefined ? [] : [aRow(unit, stamp)])
          if (stamp === undefined) stamps.delete(unit)
          else stamps.set(unit, stamp)
        }
        expect(applied.differingSpans(sumsOf(stamps))).toEqual([])

        const isLost = stamps.get(lost.unit) !== lost.stamp
        if (lost.stamp === undefined) stamps.delete(lost.unit)
        else stamps.set(lost.unit, lost.stamp)
        const spans = applied.differingSpans(sumsOf(stamps))
        expect(spans).toEqual(isLost ? [spanOf(lost.unit)] : [])
        const read = new Map([...stamps].filter(([unit]) => spans.includes(spanOf(unit))))
        expect(applied.differing(spans, read)).toEqual(isLost ? [lost.unit] : [])
      },
    ),
  )
})
