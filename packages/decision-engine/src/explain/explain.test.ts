import { describe, expect, test } from 'vitest'
import { applyChange } from '../changes/apply-change.ts'
import { createIndex, type DecisionIndex } from '../columns/catalogue.ts'
import { decide, findPlacement } from '../decide/decide.ts'
import { keyedDraw, seededDraws } from '../decide/draws.ts'
import { explain } from './explain.ts'
import { finishLoad } from '../columns/membership.ts'
import { GATE_OF, GATE_REASONS, REASONS } from './reasons.ts'
import { type CaseCatalogue, caseChanges, caseRequest } from '../testing/decision-case.ts'
import { type PlainLiveState, PlainLive } from '../testing/plain-live.ts'
import { GATE_TEXT, REASON_TEXT, describeExplanation } from './words.ts'

function indexOf(catalogue: CaseCatalogue): DecisionIndex {
  const index = createIndex()
  for (const change of caseChanges(catalogue, true)) applyChange(index, change)
  finishLoad(index)
  return index
}

const ONLY_GERMANY = { type: 'country', operator: 'in', value: { values: ['DE'] } } as const

const threeAds: CaseCatalogue = {
  placements: [{}],
  campaigns: [{ key: 1 }, { key: 2 }, { key: 3 }],
  banners: [{ key: 1 }, { key: 2 }, { key: 3, format: 'video' }],
  ads: [
    { key: 1, campaignKey: 1, bannerKey: 1, bidMicros: 2_000_000 },
    { key: 2, campaignKey: 2, bannerKey: 2, bidMicros: 1_500_000 },
    { key: 3, campaignKey: 3, bannerKey: 3, bidMicros: 1_000_000 },
  ],
  caps: [{ scope: 'campaign', scopeKey: 3, impressionsMax: 1 }],
  rules: [{ ...ONLY_GERMANY, campaignKey: 3 }],
}

const ports = (state: PlainLiveState = {}) => ({
  live: new PlainLive(state),
  draws: seededDraws(1),
})

describe('an explanation', () => {
  test('names the outcome and the score of every candidate', () => {
    const { outcomes, counts } = explain(indexOf(threeAds), caseRequest(), ports())

    expect(outcomes.map(({ candidate, reason, score }) => [candidate.key, reason, score])).toEqual([
      [1, 'won', 40_000],
      [2, 'outbid', 30_000],
      [3, 'country', undefined],
    ])
    expect(counts).toEqual({ won: 1, outbid: 1, country: 1 })
  })

  test('lists the best scores first, then ads without a score by their key', () => {
    const ads = [4, 3, 2, 1].map((key, at) => ({
      key,
      campaignKey: at + 1,
      bannerKey: at + 1,
      bidMicros: key === 2 ? 1_000_000 : 2_000_000,
    }))
    const rules = [1, 2].map((campaignKey) => ({
      ...ONLY_GERMANY,
      key: campaignKey,
      campaignKey,
    }))
    const campaigns = [1, 2, 3, 4].map((key) => ({ key }))
    const index = indexOf({ placements: [{}], campaigns, banners: campaigns, ads, rules })

    const { outcomes } = explain(index, caseRequest(), ports())

    expect(outcomes.map(({ candidate }) => candidate.key)).toEqual([1, 2, 3, 4])
  })

  test('counts the candidates beyond the most that it lists', () => {
    const keys = Array.from({ length: 10_003 }, (_, at) => at + 1)
    const index = indexOf({
      placements: [{}],
      campaigns: [{ key: 1 }],
      banners: [{ key: 1 }],
      ads: keys.map((key) => ({ key, campaignKey: 1, bannerKey: 1, bidMicros: 1_000_000 })),
      rules: [{ ...ONLY_GERMANY, campaignKey: 1 }],
    })

    const { outcomes, omitted } = explain(index, caseRequest(), ports())

    expect([outcomes.length, omitted]).toEqual([10_000, 3])
  })

  test('lists the gate of the request only where the request has limits', () => {
    const limits = { formats: new Set(['video']) }

    const plain = explain(indexOf(threeAds), caseRequest(), ports())
    const limited = explain(indexOf(threeAds), { ...caseRequest(), limits }, ports())

    expect(plain.gates).not.toContain('request')
    expect(limited.gates).toEqual(Object.keys(GATE_REASONS))
    expect(limited.counts).toMatchObject({ 'request-format': 2 })
  })

  test('lists every obstacle of the ad that is asked for, and the bid it needs', () => {
    const state = { seen: { 'campaign-3-Day': 1 }, budgetLeft: { 3: 0 } }

    const { requirements } = explain(indexOf(threeAds), caseRequest(), {
      ...ports(state),
      adKey: 3,
    })

    expect(requirements).toMatchObject({
      hasWon: false,
      obstacles: ['country', 'campaign-frequency', 'exhausted'],
      scoreToBeat: 40_000,
      effectiveBidMicros: 1_000_000,
      effectiveBidMicrosNeeded: 1_818_182,
    })
  })

  test('a campaign that is paused twice over hears each reason once', () => {
    const campaigns = [{ key: 1 }, { key: 2 }, { key: 3, status: 'paused' as const }]
    const parking = [{ campaignKey: 3, verdict: 'exhausted' as const }]
    const index = indexOf({ ...threeAds, campaigns, parking })

    const paused = explain(index, caseRequest(), { ...ports(), adKey: 3 }).requirements
    const spent = explain(index, caseRequest(), { ...ports({ budgetLeft: { 3: 0 } }), adKey: 3 })

    expect(paused?.obstacles).toEqual(['campaign-not-active', 'country'])
    expect(spent.requirements?.obstacles).toEqual(['campaign-not-active', 'country', 'exhausted'])
  })

  test('an ad needs to beat the last of the places, not the first', () => {
    const index = indexOf({ ...threeAds, placements: [{ maxBanners: 2 }] })

    const { requirements } = explain(index, caseRequest(), { ...ports(), adKey: 3 })

    expect(requirements).toMatchObject({
      obstacles: ['country'],
      scoreToBeat: 30_000,
      effectiveBidMicrosNeeded: 1_363_637,
    })
  })

  test('an ad needs nothing but the floor where a place stays empty', () => {
    const index = indexOf({ ...threeAds, placements: [{ maxBanners: 3, floorMicros: 5_000_000 }] })

    const { requirements } = explain(index, caseRequest(), { ...ports(), adKey: 3 })

    expect(requirements).toMatchObject({
      scoreToBeat: undefined,
      effectiveBidMicrosNeeded: 250_000,
    })
  })

  test('the bid that it names does win', () => {
    const index = indexOf(threeAds)
    const request = caseRequest({ context: { country: 'DE' } })
    const { requirements } = explain(index, request, { ...ports(), adKey: 3 })
    const ad = { key: 3, campaignKey: 3, bannerKey: 3, active: true }

    applyChange(index, {
      put: 'ad',
      record: { ...ad, bidMicros: requirements!.effectiveBidMicrosNeeded },
    })
    const after = decide(index, request, ports()).winners[0]?.key
    applyChange(index, {
      put: 'ad',
      record: { ...ad, bidMicros: requirements!.effectiveBidMicrosNeeded - 1 },
    })
    const justBelow = decide(index, request, ports()).winners[0]?.key

    expect([after, justBelow]).toEqual([3, 1])
  })

  test.each([
    ['per click', 'cpc', 1],
    ['per click, of better quality', 'cpc', 1.7],
    ['per thousand, of worse quality', 'cpm', 0.6],
  ] as const)('the bid that it names does win, %s', (_, pricing, quality) => {
    const rival = { key: 1, campaignKey: 1, bannerKey: 1, bidMicros: 2_000_000 }
    const own = { key: 2, campaignKey: 2, bannerKey: 2, bidMicros: 1_000, quality }
    const world = (ads: NonNullable<CaseCatalogue['ads']>): CaseCatalogue => ({
      placements: [{}],
      campaigns: [{ key: 1 }, { key: 2, pricing }],
      banners: [{ key: 1 }, { key: 2 }],
      ads: [...ads],
    })
    const winnerAt = (ads: NonNullable<CaseCatalogue['ads']>, bidMicros: number, floorMicros = 0) =>
      decide(
        indexOf(world([...ads, { ...own, bidMicros }])),
        { ...caseRequest(), floorMicros },
        ports(),
      ).winners[0]?.key
    const neededWith = (ads: NonNullable<CaseCatalogue['ads']>, floorMicros = 0) => {
      const request = { ...caseRequest(), floorMicros }
      const explained = explain(indexOf(world([...ads, own])), request, { ...ports(), adKey: 2 })
      return explained.requirements!.effectiveBidMicrosNeeded
    }

    const overRival = neededWith([rival])
    expect([winnerAt([rival], overRival), winnerAt([rival], overRival - 1)]).toEqual([2, 1])
    const overFloor = neededWith([], 1_234_567)
    expect([winnerAt([], overFloor, 1_234_567), winnerAt([], overFloor - 1, 1_234_567)]).toEqual([
      2,
      undefined,
    ])
  })

  test('the bid that it names counts the relevance of an ad on the shortlist', () => {
    const shortlist = {
      adKeys: [3],
      relevance: [2],
      choose: () => ({ at: 0, clearingCpmMicros: 0, propensity: 1 }),
    }
    const request = { ...caseRequest({ context: { country: 'DE' } }), shortlist }

    const { requirements } = explain(indexOf(threeAds), request, { ...ports(), adKey: 3 })

    expect(requirements).toMatchObject({ effectiveBidMicrosNeeded: 909_091 })
  })

  test('an unknown ad has not won', () => {
    const { requirements } = explain(indexOf(threeAds), caseRequest(), { ...ports(), adKey: 99 })

    expect(requirements).toMatchObject({ isKnown: false, hasWon: false, score: 0 })
  })

  test('has a sentence for each candidate', () => {
    const asked = { ...ports(), adKey: 99 }

    expect(describeExplanation(explain(indexOf(threeAds), caseRequest(), asked))).toEqual([
      'Ad 1 was chosen with a score of 0.04.',
      'Ad 2 was not shown with a score of 0.03: another bid scored higher.',
      'Ad 3 was not shown: the country does not match its targeting.',
      '1 banner(s) chosen.',
      'Ad 99 is not in the catalogue.',
    ])
  })

  test('leaves the decision as it is', () => {
    const index = indexOf(threeAds)

    const plain = decide(index, caseRequest(), ports())
    const explained = explain(index, caseRequest(), ports()).decision

    expect(explained.winners).toEqual(plain.winners)
  })
})

test('every reason has a sentence', () => {
  expect(Object.keys(REASON_TEXT).toSorted()).toEqual(REASONS.toSorted())
})

test('every reason but passing belongs to one gate, and gates come in their order', () => {
  expect(REASONS.filter((reason) => !GATE_OF.has(reason))).toEqual(['passed'])
  expect(Object.keys(GATE_TEXT)).toEqual(Object.keys(GATE_REASONS))
})

test('a decision names the version of the index that made it', () => {
  const index = indexOf(threeAds)

  const before = decide(index, caseRequest(), ports()).indexVersion
  applyChange(index, { remove: 'ad', key: 1 })

  expect(decide(index, caseRequest(), ports()).indexVersion).toBe(before + 1)
})

test('a placement is found by its slug while it is active', () => {
  const index = indexOf(threeAds)

  expect(findPlacement(index, 'home-top')?.key).toBe(1)
  expect(findPlacement(index, 'nowhere')).toBeUndefined()
})

function drawn(seed: number): number[] {
  const draws = seededDraws(seed)
  return Array.from({ length: 1_000 }, () => draws.next())
}

describe('draws', () => {
  test('the same seed draws the same numbers, all in [0, 1)', () => {
    expect(drawn(5)).toEqual(drawn(5))
    expect(drawn(5)).not.toEqual(drawn(6))
    expect(drawn(5).every((draw) => draw >= 0 && draw < 1)).toBe(true)
  })

  test('a draw by key is uniform and independent of order', () => {
    const draws = Array.from({ length: 10_000 }, (_, key) => keyedDraw(42, key))
    const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length

    expect(Math.abs(mean - 0.5)).toBeLessThan(0.02)
    expect(keyedDraw(42, 77)).toBe(draws[77])
  })
})
