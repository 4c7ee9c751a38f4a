import { DAY_MS, DAY_SECONDS } from '@placard/calendar'
import { describe, expect, test } from 'vitest'
import {
  advertiserTerms,
  CAMPAIGN,
  campaignTerms,
  HOLD_MS,
  money,
  openBook,
  reserve,
  spend,
} from './testing-book.ts'

const NEW_YORK = { timeZone: 'America/New_York' }
const HOURS_23 = '2026-03-08T05:00:00Z'
const HOURS_25 = '2026-11-01T04:00:00Z'

describe('a budget day', () => {
  test('a budget day ends at midnight in the advertiser’s zone, not before', () => {
    const { book, clock } = openBook({
      start: '2026-06-15T12:00:00Z',
      campaign: { dailyMicros: 10 },
      advertiser: { ...NEW_YORK, dailyMicros: 10 },
    })
    spend(book, 10)

    clock.moveTo('2026-06-16T03:59:59.999Z')
    expect(reserve(book, 1)).toBeUndefined()

    clock.moveTo('2026-06-16T04:00:00Z')
    expect(money(book)).toEqual({ today: [0, 0], inAll: [10, 0] })
    expect(reserve(book, 10)).toBeDefined()
  })

  test('a budget day in a zone with half hours starts at that zone’s midnight', () => {
    const { book, clock } = openBook({
      start: '2026-06-15T18:29:59Z',
      campaign: { dailyMicros: 10 },
      advertiser: { timeZone: 'Asia/Kolkata' },
    })
    spend(book, 10)

    clock.advance(1)

    expect(reserve(book, 10)).toBeDefined()
  })

  test('a budget day keeps the money held on it, and the new day has its full budget', () => {
    const { book, clock } = openBook({
      start: '2026-06-15T23:59:50Z',
      campaign: { dailyMicros: 10, totalMicros: 15 },
    })
    const late = reserve(book, 10)!

    clock.advance(20)
    expect(reserve(book, 6)).toBeUndefined()
    expect(reserve(book, 5)).toBeDefined()
    book.confirm(late.id, 10)

    expect(money(book)).toEqual({ today: [0, 5], inAll: [10, 5] })
  })

  test('a budget day is found again when the clock goes back over midnight', () => {
    const { book, clock } = openBook({
      start: '2026-06-15T23:59:59Z',
      campaign: { dailyMicros: 10 },
    })
    spend(book, 7)
    clock.advance(2)
    spend(book, 5)

    clock.advance(-2)

    expect(money(book).today).toEqual([7, 0])
    expect(reserve(book, 4)).toBeUndefined()
  })

  test('a budget day two days in the past takes no money', () => {
    const { book, clock } = openBook({ start: '2026-06-15T12:00:00Z' })
    spend(book, 5)
    clock.moveTo('2026-06-17T12:00:00Z')
    spend(book, 5)

    clock.moveTo('2026-06-15T12:00:00Z')

    expect(reserve(book, 1)).toBeUndefined()
    expect(reserve(book, 0)).toBeDefined()
    clock.moveTo('2026-06-17T12:00:00Z')
    expect(money(book).today).toEqual([5, 0])
  })

  test('a budget day is unaffected by reservations that expired unnoticed two days before', () => {
    const { book, clock } = openBook({ campaign: { dailyMicros: 3_000 } })
    for (let count = 0; count < 2_500; count++) reserve(book, 1)
    clock.advance(2 * DAY_SECONDS)

    reserve(book, 7)

    expect(book.findCampaign(CAMPAIGN)!.campaignDay).toMatchObject({
      spentMicros: 0,
      heldMicros: 7,
    })
    expect(money(book)).toEqual({ today: [0, 7], inAll: [0, 7] })
  })

  test('a budget day follows the new zone when the advertiser moves', () => {
    const { book } = openBook({
      start: '2026-06-15T20:00:00Z',
      campaign: { dailyMicros: 10 },
      advertiser: { timeZone: 'Asia/Tokyo' },
    })
    spend(book, 10)

    book.putAdvertiser(advertiserTerms(NEW_YORK))
    expect(money(book).today).toEqual([0, 0])

    book.putAdvertiser(advertiserTerms({ timeZone: 'Asia/Tokyo' }))
    expect(money(book).today).toEqual([10, 0])
  })

  test.each([
    ['23', HOURS_23, '2026-03-09T04:00:00Z'],
    ['25', HOURS_25, '2026-11-02T05:00:00Z'],
  ])('a calendar day of %s hours is one budget day', (_hours, start, end) => {
    const { book, clock } = openBook({
      start,
      campaign: { dailyMicros: 10 },
      advertiser: NEW_YORK,
    })
    spend(book, 10)

    clock.moveTo(end)
    clock.advance(-0.001)
    expect(reserve(book, 1)).toBeUndefined()

    clock.advance(0.001)
    expect(reserve(book, 10)).toBeDefined()
  })
})

describe('Smooth pacing', () => {
  const smooth = { dailyMicros: 24_000, strategy: 'Smooth' } as const

  test('an hour may spend its share plus a fifth, held money included', () => {
    const { book, clock } = openBook({ start: '2026-06-15T00:00:00Z', campaign: smooth })
    reserve(book, 1_000)

    expect(book.judgeSpend(CAMPAIGN, 200)).toBe('may-spend')
    expect(book.judgeSpend(CAMPAIGN, 201)).toBe('ahead-of-plan')

    clock.advance(3_600)
    expect(book.judgeSpend(CAMPAIGN, 2_400)).toBe('may-spend')
    expect(book.judgeSpend(CAMPAIGN, 2_401)).toBe('ahead-of-plan')
  })

  test.each([
    ['23', HOURS_23, 1_252],
    ['25', HOURS_25, 1_152],
  ])('a day of %s hours is divided by its own hours', (_hours, start, allowed) => {
    const { book } = openBook({ start, campaign: smooth, advertiser: NEW_YORK })

    expect(book.judgeSpend(CAMPAIGN, allowed)).toBe('may-spend')
    expect(book.judgeSpend(CAMPAIGN, allowed + 1)).toBe('ahead-of-plan')
  })

  test('the verdict is exhausted, not ahead-of-plan, if the day has less left than the cost', () => {
    const { book } = openBook({ start: '2026-06-15T00:00:00Z', campaign: smooth })

    expect(book.judgeSpend(CAMPAIGN, 24_001)).toBe('exhausted')
  })

  test('a bid agent’s brake replaces Smooth on its day, and the hard limit stays', () => {
    const day = Date.parse('2026-06-15T00:00:00Z') / DAY_MS
    const { book, clock } = openBook({
      start: '2026-06-15T00:00:00Z',
      campaign: { ...smooth, brake: { day, micros: 9_000 } },
    })

    expect(book.judgeSpend(CAMPAIGN, 9_000)).toBe('may-spend')
    expect(book.judgeSpend(CAMPAIGN, 9_001)).toBe('ahead-of-plan')
    expect(book.judgeSpend(CAMPAIGN, 24_001)).toBe('exhausted')

    clock.advance(DAY_SECONDS)
    expect(book.judgeSpend(CAMPAIGN, 1_200)).toBe('may-spend')
    expect(book.judgeSpend(CAMPAIGN, 1_201)).toBe('ahead-of-plan')
  })

  test('without a daily budget there is nothing to spread', () => {
    const { book } = openBook({
      start: '2026-06-15T00:00:00Z',
      campaign: { totalMicros: 100, strategy: 'Smooth' },
    })

    expect(book.judgeSpend(CAMPAIGN, 100)).toBe('may-spend')
  })
})

describe('a verdict that changes', () => {
  test('a verdict is published once when the campaign is exhausted and once when it may spend again', () => {
    const { book, clock, published } = openBook({ campaign: { dailyMicros: 10 } })
    book.sweep()
    expect(published).toEqual([])

    reserve(book, 10)
    expect(published).toEqual([])
    book.sweep()
    book.sweep()
    expect(published).toEqual([[CAMPAIGN, 'exhausted']])

    clock.advance(HOLD_MS / 1000)
    book.sweep()
    expect(published.slice(1)).toEqual([[CAMPAIGN, 'may-spend']])
  })

  test('a verdict that changes back between two sweeps is not published', () => {
    const { book, published } = openBook({ campaign: { dailyMicros: 10 } })

    book.release(reserve(book, 10)!.id)
    book.sweep()

    expect(published).toEqual([])
  })

  test('a campaign is exhausted when less is left than its cheapest impression costs', () => {
    const { book, published } = openBook({ campaign: { dailyMicros: 10, costMicrosMin: 4 } })
    spend(book, 6)
    book.sweep()
    expect(published).toEqual([])

    spend(book, 1)
    book.sweep()

    expect(published).toEqual([[CAMPAIGN, 'exhausted']])
  })

  test('a campaign ahead of plan may spend in the next hour, an exhausted one on the next day', () => {
    const { book, clock, published } = openBook({
      start: '2026-06-15T00:10:00Z',
      campaign: { dailyMicros: 24_000, strategy: 'Smooth' },
      advertiser: NEW_YORK,
    })
    clock.moveTo('2026-06-16T04:10:00Z')
    spend(book, 1_200)
    book.sweep()
    clock.moveTo('2026-06-16T04:59:59Z')
    book.sweep()
    expect(published).toEqual([[CAMPAIGN, 'ahead-of-plan']])

    clock.advance(1)
    book.sweep()
    expect(published.at(-1)).toEqual([CAMPAIGN, 'may-spend'])

    spend(book, 22_800)
    book.sweep()
    expect(published.at(-1)).toEqual([CAMPAIGN, 'exhausted'])
    clock.moveTo('2026-06-17T04:00:00Z')
    book.sweep()
    expect(published.at(-1)).toEqual([CAMPAIGN, 'may-spend'])
  })

  test('a new day that allows no impression yet is published after the next check', () => {
    const { book, clock, published } = openBook({
      start: '2026-06-15T23:59:00Z',
      campaign: { dailyMicros: 100, costMicrosMin: 10, strategy: 'Smooth' },
    })
    book.sweep()

    clock.advance(60)
    expect(book.judgeSpend(CAMPAIGN, 10)).toBe('ahead-of-plan')
    book.sweep()

    expect(published).toEqual([[CAMPAIGN, 'ahead-of-plan']])
  })

  test('a campaign’s verdict changes with its advertiser, and back with it', () => {
    const { book, published } = openBook({ advertiser: { dailyMicros: 10 } })
    book.putCampaign(campaignTerms({ campaignKey: 12 }))
    const { id } = reserve(book, 10)!
    book.sweep()
    expect(published).toEqual([
      [CAMPAIGN, 'exhausted'],
      [12, 'exhausted'],
    ])

    book.release(id)
    book.sweep()
    expect(new Map(published.slice(2))).toEqual(
      new Map([
        [CAMPAIGN, 'may-spend'],
        [12, 'may-spend'],
      ]),
    )
  })

  test('a verdict changed by the advertiser changes back when the advertiser’s money comes back', () => {
    const { book, published } = openBook({ advertiser: { dailyMicros: 100 } })
    book.putCampaign(campaignTerms({ campaignKey: 12 }))
    const { id } = reserve(book, 5)!
    book.putAdvertiser(advertiserTerms({ dailyMicros: 5 }))
    book.sweep()

    book.release(id)
    book.sweep()

    expect(published.filter(([key]) => key === 12)).toEqual([
      [12, 'exhausted'],
      [12, 'may-spend'],
    ])
  })

  test('a verdict changed because the advertiser has too little left changes back when money comes back', () => {
    const { book, published } = openBook({ advertiser: { dailyMicros: 60 } })
    const { id } = reserve(book, 20)!
    book.putCampaign(campaignTerms({ campaignKey: 12, costMicrosMin: 50 }))
    book.sweep()

    book.release(id)
    book.sweep()

    expect(published).toEqual([
      [12, 'exhausted'],
      [12, 'may-spend'],
    ])
  })

  test('a removed campaign is published as may-spend, so that nothing stays parked', () => {
    const { book, published } = openBook({ campaign: { dailyMicros: 0 } })
    book.sweep()

    book.removeCampaign(CAMPAIGN)
    book.sweep()

    expect(published).toEqual([
      [CAMPAIGN, 'exhausted'],
      [CAMPAIGN, 'may-spend'],
    ])
    expect(book.snapshot()).toMatchObject({ parked: 0, campaigns: 0 })
  })

  test('verdicts beyond the limit of one sweep wait for the next', () => {
    const { book, published } = openBook({ campaign: { dailyMicros: 0 } })
    for (let campaignKey = 12; campaignKey < 15; campaignKey++) {
      book.putCampaign(campaignTerms({ campaignKey, dailyMicros: 0 }))
    }

    expect(book.sweep(3)).toBe(1)
    expect(published).toHaveLength(3)
    expect(book.sweep(3)).toBe(0)
    expect(published).toHaveLength(4)
    expect(book.snapshot()).toMatchObject({ parked: 4 })
  })

  test('each of many thousand changed verdicts is published once', () => {
    const { book, published } = openBook()
    for (let campaignKey = 12; campaignKey < 25_012; campaignKey++) {
      book.putCampaign(campaignTerms({ campaignKey, dailyMicros: 0 }))
    }

    while (book.sweep() > 0);

    expect(new Set(published.map(([key]) => key)).size).toBe(25_000)
    expect(published).toHaveLength(25_000)
  })

  test('a sweep skips campaigns that go on spending', () => {
    const { book } = openBook({ campaign: { dailyMicros: 100 } })
    spend(book, 10)
    book.sweep()

    spend(book, 10)
    reserve(book, 10)

    expect(book.sweep(0)).toBe(0)
  })
})
