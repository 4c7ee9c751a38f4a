import { REJECT_REASONS } from '@placard/contract/contextual'
import { describe, expect, test } from 'vitest'
import {
  appended,
  AUCTION_DEFAULTS,
  auctionPage,
  expandCategories,
  indexBids,
  judgeBid,
  relevanceOf,
  shortlist,
  type SiteBid,
} from './auction.ts'
import { openContentTaxonomy } from '../classify/reference-data.ts'

const PLACE = 1
const FOOD = '210'
const SPORT = '483'

let nextAd = 1
const bid = (cpm: number, given: Partial<SiteBid> = {}): SiteBid => {
  const adKey = given.adKey ?? nextAd++
  return {
    adKey,
    campaignKey: adKey,
    advertiserKey: 1,
    bannerKey: adKey,
    placementKey: PLACE,
    cpmMicros: cpm * 1_000_000,
    contentIds: [FOOD],
    isCategoryTargeted: true,
    floorMicros: 500_000,
    isApproved: true,
    isPaused: false,
    isSiteRefused: false,
    isMisplaced: false,
    isBlocked: false,
    isExhausted: false,
    hasCreative: true,
    isTargeted: false,
    ...given,
  }
}

const onFood = (bids: readonly SiteBid[], settings = AUCTION_DEFAULTS) =>
  shortlist(
    indexBids(bids, settings).get(PLACE) ?? new Map(),
    new Map([[FOOD, 0.8]]),
    settings,
  ).map((found) => found.bid.adKey)

describe('a bid', () => {
  const everything = {
    isPaused: true,
    isSiteRefused: true,
    isMisplaced: true,
    contentIds: [SPORT],
    isBlocked: true,
    cpmMicros: 1,
    isExhausted: true,
    hasCreative: false,
  }
  const mended = [
    { isPaused: false },
    { isSiteRefused: false },
    { isMisplaced: false },
    { contentIds: [FOOD] },
    { isBlocked: false },
    { cpmMicros: 900_000 },
    { isExhausted: false },
    { hasCreative: true },
  ]

  test('a bid is refused for the first reason in the list', () => {
    let one = bid(1, everything)
    const reasons = mended.map((mend) => {
      const reason = judgeBid(one, new Set([FOOD]))
      one = { ...one, ...mend }
      return reason
    })

    expect(reasons).toEqual(REJECT_REASONS)
    expect(judgeBid(one, new Set([FOOD]))).toBeUndefined()
  })

  test('a bid at the floor is accepted, one below it is not', () => {
    expect(judgeBid(bid(0.5), undefined)).toBeUndefined()
    expect(judgeBid(bid(0.499_999), undefined)).toBe('below-floor')
  })
})

describe('the shortlist', () => {
  test('the shortlist takes the highest three bids, one per campaign', () => {
    const bids = [bid(2), bid(5), bid(3), bid(4), bid(4.5, { campaignKey: 2 })]
    const [, five, , four] = bids.map(({ adKey }) => adKey)

    expect(onFood(bids)).toEqual([five, bids[4]!.adKey, four])
  })

  test('targeted bids come on top of the shortlist and take no place in it', () => {
    const some = [bid(9, { isTargeted: true }), bid(8, { isTargeted: true })]
    const all = [bid(5), bid(4), bid(3), bid(2)]

    expect(onFood([...some, ...all])).toEqual(
      [...some, ...all.slice(0, 3)].map(({ adKey }) => adKey),
    )
  })

  test('a shortlist of few campaigns takes their next best creatives too', () => {
    const one = [bid(5, { campaignKey: 90 }), bid(4, { campaignKey: 90 })]
    const other = bid(2, { campaignKey: 91 })

    expect(onFood([...one, other])).toEqual([one[0]!.adKey, other.adKey, one[1]!.adKey])
  })

  test('the shortlist leaves out bids below a fifth of the best of their category', () => {
    const bids = [bid(10), bid(2), bid(1.99)]

    expect(onFood(bids)).toEqual([bids[0]!.adKey, bids[1]!.adKey])
  })

  test('among equal bids, those that can be shown at once come first', () => {
    const pending = bid(3, { isApproved: false })
    const approved = bid(3)

    expect(onFood([pending, approved])).toEqual([approved.adKey, pending.adKey])
  })

  test('with keepAll the shortlist keeps every campaign', () => {
    const bids = [bid(5), bid(4), bid(3), bid(2)]

    expect(onFood(bids, { ...AUCTION_DEFAULTS, keepAll: true })).toHaveLength(4)
  })

  test('an ad that names two of the page’s categories counts for the surer one', () => {
    const both = bid(3, { contentIds: [SPORT, FOOD] })
    const categories = new Map([
      [SPORT, 0.3],
      [FOOD, 0.9],
    ])
    const found = shortlist(indexBids([both]).get(PLACE)!, categories)

    expect(found).toMatchObject([{ categoryId: FOOD }])
  })

  test('a page in a child category is also in its parents, as surely as the surest child', () => {
    const expanded = expandCategories(openContentTaxonomy(), [
      { categoryId: '222', confidence: 0.4 },
      { categoryId: '216', confidence: 0.7 },
    ])

    expect(expanded.get(FOOD)).toBe(0.7)
    expect(expanded.get('222')).toBe(0.4)
  })
})

describe('the auction of a page', () => {
  const auction = (bids: readonly SiteBid[], given: object = {}) =>
    auctionPage({
      bids: indexBids(bids),
      categories: new Map([[FOOD, 0.8]]),
      weightOf: () => ({ rate: 0.5, share: 0.5 }),
      previous: undefined,
      reasonOf: () => undefined,
      untilMs: 2_000,
      nowMs: 1_000,
      ...given,
    })
  const adsOf = (candidates: ReturnType<typeof auctionPage>) =>
    (candidates[PLACE] ?? []).map(({ adKey }) => adKey)

  test('a candidate’s score is the page’s confidence times the category’s weight', () => {
    expect(auction([bid(3)])[PLACE]).toMatchObject([{ categoryId: FOOD, categoryScore: 0.4 }])
  })

  test('relevance doubles a score at most, for a sure page and a category far above the others', () => {
    expect(relevanceOf(0.8, { rate: 0.02, share: 0.5 })).toBe(1.4)
    expect(relevanceOf(1, { rate: 0.9, share: 1 })).toBe(2)
    expect(relevanceOf(0, { rate: 0.9, share: 1 })).toBe(1)
  })

  test('a campaign without categories may run on any page, and is relevant to none', () => {
    const anywhere = bid(3, { contentIds: [], isCategoryTargeted: false })

    expect(judgeBid(anywhere, new Set([FOOD]))).toBeUndefined()
    expect(auction([anywhere])).toEqual({})
  })

  test('a live candidate whose budget is exhausted stays until its mark, even alone', () => {
    const was = bid(3)
    const previous = auction([was])
    const reasonOf = () => 'budget-exhausted' as const

    const kept = auction([{ ...was, isExhausted: true }], { previous, reasonOf })
    expect(kept[PLACE]).toMatchObject([{ adKey: was.adKey, untilMs: 2_000 }])
    expect(auction([], { previous: kept, reasonOf, nowMs: 2_000 })).toEqual({})
  })

  test('a live candidate that is out for good is removed', () => {
    const was = bid(3)
    const reasonOf = () => 'category-blocked' as const

    expect(auction([], { previous: auction([was]), reasonOf })).toEqual({})
  })

  test('a creative appears once, with its new bid', () => {
    const was = bid(3)
    const now = { ...was, cpmMicros: 4_000_000 }

    expect(auction([now], { previous: auction([was]) })[PLACE]).toMatchObject([
      { adKey: was.adKey, cpmMicros: 4_000_000 },
    ])
  })

  test('an appended creative comes last, and once', () => {
    const [high, low] = [bid(5), bid(2)]
    const lists = auction([low])
    const joined = appended(lists, auction([high]))

    expect(adsOf(joined)).toEqual([low.adKey, high.adKey])
    expect(appended(joined, auction([high]))).toEqual(joined)
  })
})
