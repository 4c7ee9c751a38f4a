import { DAY_MS } from '@placard/calendar'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  attribute,
  ATTRIBUTION_DEFAULTS,
  type AttributionModel,
  type Touch,
} from './attribution.ts'

const NOW = 100 * DAY_MS
const click = (eventId: string, daysAgo: number): Touch => ({
  kind: 'click',
  eventId,
  atMs: NOW - daysAgo * DAY_MS,
})
const view = (eventId: string, daysAgo: number): Touch => ({
  ...click(eventId, daysAgo),
  kind: 'view',
})

const creditsOf = (touches: readonly Touch[], model: AttributionModel = 'last-click') =>
  attribute(touches, { ...ATTRIBUTION_DEFAULTS, model, convertedAtMs: NOW }).map(
    ({ touch, share }) => [touch.eventId, share],
  )

describe('a conversion goes to', () => {
  test('a conversion goes to the last click within seven days', () => {
    expect(creditsOf([click('a', 3), click('b', 1), click('c', 2)])).toEqual([['b', 10_000]])
    expect(creditsOf([click('a', 7)])).toEqual([['a', 10_000]])
    expect(creditsOf([click('a', 7.001)])).toEqual([])
  })

  test('a conversion goes to the first click under the first-click model', () => {
    expect(creditsOf([click('b', 1), click('a', 3)], 'first-click')).toEqual([['a', 10_000]])
  })

  test('the linear model splits a conversion evenly in ten-thousandths, the rest to the last click', () => {
    expect(creditsOf([click('a', 3), click('b', 2), click('c', 1)], 'linear')).toEqual([
      ['a', 3_333],
      ['b', 3_333],
      ['c', 3_334],
    ])
  })

  test('a conversion goes to a view within a day only if there is no click', () => {
    expect(creditsOf([view('v', 0.5), click('a', 6)])).toEqual([['a', 10_000]])
    expect(creditsOf([view('v', 1)])).toEqual([['v', 10_000]])
    expect(creditsOf([view('v', 1.001)])).toEqual([])
  })

  test('a conversion never goes to a later touch', () => {
    expect(creditsOf([click('a', -0.001)])).toEqual([])
  })
})

test('the shares of a conversion always add up to the whole, whatever the model', () => {
  const touch = fc.record({
    kind: fc.constantFrom('click', 'view'),
    eventId: fc.uuid(),
    atMs: fc.integer({ min: NOW - DAY_MS, max: NOW }),
  })
  const models = fc.constantFrom('last-click', 'first-click', 'linear')
  fc.assert(
    fc.property(fc.array(touch, { minLength: 1 }), models, (touches, model) => {
      const credits = creditsOf(touches, model)

      expect(credits.reduce((sum, [, share]) => sum + Number(share), 0)).toBe(10_000)
    }),
  )
})
