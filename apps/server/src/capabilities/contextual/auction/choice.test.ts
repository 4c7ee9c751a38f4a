import { seededDraws } from '@placard/learning'
import { describe, expect, test } from 'vitest'
import type { Candidate } from './auction.ts'
import { chooseBid, type CreativeHour, NO_HOUR } from './choice.ts'

const FLOOR = 500_000

const candidate = (bannerKey: number, given: Partial<Candidate> = {}): Candidate => ({
  adKey: bannerKey * 10,
  campaignKey: bannerKey,
  advertiserKey: 1,
  bannerKey,
  categoryId: '210',
  cpmMicros: 0,
  categoryScore: 0.5,
  ...given,
})

interface Given {
  readonly candidates: readonly Candidate[]
  readonly cpms: readonly number[]
  readonly hours?: Readonly<Record<number, CreativeHour>>
  readonly seed?: number
}

const choose = ({ candidates, cpms, hours = {}, seed = 1 }: Given) =>
  chooseBid(
    cpms.map((cpm, place) => ({ place, cpmMicros: cpm * 1_000_000 })),
    {
      candidates,
      hourOf: (bannerKey) => hours[bannerKey] ?? NO_HOUR,
      draws: seededDraws(seed),
      floorMicros: FLOOR,
    },
  )

const KNOWN = { impressions: 1_000, clicks: 20 }

describe('the choice among candidates', () => {
  test('a single candidate pays the floor, and its propensity is 1', () => {
    expect(choose({ candidates: [candidate(1)], cpms: [4] })).toEqual({
      at: 0,
      clearingCpmMicros: FLOOR,
      propensity: 1,
    })
  })

  test('a single candidate that bids below the floor pays no more than its bid', () => {
    const { clearingCpmMicros } = choose({ candidates: [candidate(1)], cpms: [0.4] })

    expect(clearingCpmMicros).toBe(400_000)
  })

  test('of two that readers like equally, the winner pays the other’s bid', () => {
    const candidates = [candidate(1), candidate(2)]
    const { at, clearingCpmMicros } = choose({
      candidates,
      cpms: [8, 2],
      hours: { 1: KNOWN, 2: KNOWN },
    })

    expect(at).toBe(0)
    expect(clearingCpmMicros / 1e6).toBeCloseTo(2, 5)
  })

  test('a creative that readers like twice as much needs a quarter of the other’s bid', () => {
    const candidates = [candidate(1), candidate(2)]
    const hours = { 1: { impressions: 9_998, clicks: 399 }, 2: { impressions: 9_998, clicks: 199 } }
    const { at, clearingCpmMicros } = choose({ candidates, cpms: [4, 4], hours })

    expect(at).toBe(0)
    expect(clearingCpmMicros / 1e6).toBeCloseTo(1, 5)
  })

  test('only a runner-up of the winner’s own category sets its price', () => {
    const candidates = [candidate(1), candidate(2, { categoryId: '483' })]
    const hours = { 1: KNOWN, 2: { impressions: 1_000, clicks: 0 } }

    expect(choose({ candidates, cpms: [8, 7], hours })).toMatchObject({
      at: 0,
      clearingCpmMicros: FLOOR,
    })
  })

  test('no winner pays more than its bid, whatever was drawn', () => {
    const candidates = [candidate(1), candidate(2)]
    const hours = { 1: { impressions: 30, clicks: 1 }, 2: { impressions: 30, clicks: 2 } }
    for (let seed = 0; seed < 200; seed++) {
      const { at, clearingCpmMicros } = choose({ candidates, cpms: [1, 3], hours, seed })

      expect(clearingCpmMicros).toBeLessThanOrEqual([1, 3][at]! * 1_000_000)
      expect(clearingCpmMicros).toBeGreaterThanOrEqual(FLOOR)
    }
  })

  test('the same draws make the same choice', () => {
    const given = {
      candidates: [candidate(1), candidate(2)],
      cpms: [2, 2],
      hours: { 1: KNOWN, 2: KNOWN },
    }
    expect(choose({ ...given, seed: 9 })).toEqual(choose({ ...given, seed: 9 }))
  })
})
