import { DAY_MS } from '@placard/calendar'
import { describe, expect, test } from 'vitest'
import { fixedClock, seededRandom } from '../../../testing/fixed.ts'
import {
  ADVERTISER,
  advertiserTerms,
  CAMPAIGN,
  campaignTerms,
  HOLD_MS,
  money,
  openBook,
  reserve,
  spend,
} from './testing-book.ts'
import { createBudgetBook } from './memory-book.ts'

const HOLD_SECONDS = HOLD_MS / 1000

describe('a budget limit', () => {
  test.each([
    ['the campaign day', { campaign: { dailyMicros: 10 } }],
    ['the campaign lifetime', { campaign: { totalMicros: 10 } }],
    ['the advertiser day', { advertiser: { dailyMicros: 10 } }],
  ])('the limit of %s is reached to the micro and never passed', (_level, world) => {
    const { book } = openBook(world)

    expect(reserve(book, 7)).toBeDefined()
    expect(reserve(book, 4)).toBeUndefined()
    expect(book.judgeSpend(CAMPAIGN, 4)).toBe('exhausted')
    expect(reserve(book, 3)).toBeDefined()
    expect(book.judgeSpend(CAMPAIGN, 1)).toBe('exhausted')
  })

  test('a limit that refuses leaves nothing held at the other levels', () => {
    const { book } = openBook({ campaign: { dailyMicros: 10 }, advertiser: { dailyMicros: 5 } })

    expect(reserve(book, 6)).toBeUndefined()

    expect(book.findCampaign(CAMPAIGN)).toMatchObject({
      campaignDay: { heldMicros: 0 },
      campaignLifetime: { heldMicros: 0 },
      advertiserDay: { heldMicros: 0 },
    })
  })

  test('a limit of 10,000 micros admits 10,000 of a burst of 10,007 reservations', () => {
    const { book } = openBook({ campaign: { dailyMicros: 10_000 } })

    const admitted = Array.from({ length: 10_007 }, () => reserve(book, 1)).filter(Boolean)

    expect(admitted).toHaveLength(10_000)
    expect(money(book).today).toEqual([0, 10_000])
    expect(new Set(admitted.map((reservation) => reservation!.id)).size).toBe(10_000)
  })

  test('an advertiser’s limit is shared by its campaigns', () => {
    const { book } = openBook({ advertiser: { dailyMicros: 10 } })
    book.putCampaign(campaignTerms({ campaignKey: 12 }))

    spend(book, 6, CAMPAIGN)

    expect(reserve(book, 5, 12)).toBeUndefined()
    expect(reserve(book, 4, 12)).toBeDefined()
  })

  test('a limit lowered below the spend stops delivery at once, and raised again resumes it', () => {
    const { book } = openBook({ campaign: { dailyMicros: 100 } })
    spend(book, 60)

    book.putCampaign(campaignTerms({ dailyMicros: 50 }))
    expect(reserve(book, 1)).toBeUndefined()
    expect(book.judgeSpend(CAMPAIGN, 1)).toBe('exhausted')

    book.putCampaign(campaignTerms({ dailyMicros: 61 }))
    expect(reserve(book, 1)).toBeDefined()
  })

  test('a limit lowered below the holds lets the held impressions happen', () => {
    const { book } = openBook({ campaign: { dailyMicros: 100 } })
    const reservation = reserve(book, 60)!

    book.putCampaign(campaignTerms({ dailyMicros: 50 }))

    expect(book.confirm(reservation.id, 60)).toBe(true)
    expect(money(book).today).toEqual([60, 0])
  })

  test('a limit does not stop an impression that costs nothing', () => {
    const { book } = openBook({ campaign: { dailyMicros: 0 } })

    expect(book.judgeSpend(CAMPAIGN, 0)).toBe('may-spend')
    expect(reserve(book, 0)).toBeDefined()
    expect(reserve(book, 1)).toBeUndefined()
  })

  test('sums stay exact without a limit', () => {
    const { book } = openBook()

    spend(book, Number.MAX_SAFE_INTEGER - 1)

    expect(reserve(book, 2)).toBeUndefined()
    expect(reserve(book, 1)).toBeDefined()
  })

  test('a limit or a cost must be a whole number of micros', () => {
    const { book } = openBook()

    expect(() => book.putCampaign(campaignTerms({ dailyMicros: 1.5 }))).toThrow('1.5')
    expect(() => book.putCampaign(campaignTerms({ totalMicros: -1 }))).toThrow('-1')
    expect(() => book.putAdvertiser(advertiserTerms({ dailyMicros: 2 ** 53 }))).toThrow('whole')
    expect(() => reserve(book, Number.NaN)).toThrow('NaN')
    expect(book.judgeSpend(CAMPAIGN, Number.NaN)).toBe('exhausted')
  })
})

describe('a reservation', () => {
  test('an unconfirmed reservation does not leak: it expires by itself', () => {
    const { book, clock } = openBook({ campaign: { dailyMicros: 10 } })
    reserve(book, 10)

    clock.advance(HOLD_SECONDS - 0.001)
    expect(reserve(book, 1)).toBeUndefined()

    clock.advance(0.001)
    expect(reserve(book, 10)).toBeDefined()
    expect(book.snapshot()).toMatchObject({ reservations: 1, expired: 1 })
  })

  test('a reservation with a shorter hold expires before an older one with a longer hold', () => {
    const { book, clock } = openBook({ campaign: { dailyMicros: 10 } })
    book.reserve({ campaignKey: CAMPAIGN, costMicros: 4, holdMs: 1_800_000 })
    book.reserve({ campaignKey: CAMPAIGN, costMicros: 6, holdMs: 60_000 })

    clock.advance(60)

    expect(money(book).today).toEqual([0, 4])
  })

  test('a reservation confirmed for less gives the rest back', () => {
    const { book } = openBook({ campaign: { dailyMicros: 10 } })

    book.confirm(reserve(book, 10)!.id, 7)

    expect(money(book)).toEqual({ today: [7, 0], inAll: [7, 0] })
    expect(reserve(book, 3)).toBeDefined()
  })

  test('a reservation is never confirmed for more than it holds', () => {
    const { book } = openBook()
    const { id } = reserve(book, 10)!

    expect(() => book.confirm(id, 11)).toThrow('11 micros charged, 10 reserved')
    expect(money(book).today).toEqual([0, 10])
  })

  test('a reservation confirmed twice is charged once, and the second time is counted', () => {
    const { book } = openBook()
    const { id } = reserve(book, 10)!

    expect(book.confirm(id, 10)).toBe(true)
    expect(book.confirm(id, 10)).toBe(false)

    expect(money(book).today).toEqual([10, 0])
    expect(book.snapshot()).toMatchObject({ confirmed: 1, unknown: 1 })
  })

  test('a reservation confirmed or released after it expired changes nothing, and is counted', () => {
    const { book, clock } = openBook()
    const first = reserve(book, 10)!
    const second = reserve(book, 10)!
    clock.advance(HOLD_SECONDS)

    expect(book.confirm(first.id, 10)).toBe(false)
    expect(book.release(second.id)).toBe(false)

    expect(money(book).inAll).toEqual([0, 0])
    expect(book.snapshot()).toMatchObject({ confirmed: 0, released: 0, expired: 2, unknown: 2 })
  })

  test('a released reservation gives all its money back', () => {
    const { book } = openBook({ campaign: { totalMicros: 10 } })

    expect(book.release(reserve(book, 10)!.id)).toBe(true)

    expect(money(book)).toEqual({ today: [0, 0], inAll: [0, 0] })
    expect(reserve(book, 10)).toBeDefined()
  })

  test('a reservation is not mistaken for a later one in the same row', () => {
    const { book } = openBook()
    const first = reserve(book, 10)!
    book.release(first.id)
    const second = reserve(book, 10)!

    expect(book.confirm(first.id, 10)).toBe(false)
    expect(book.confirm(second.id, 10)).toBe(true)
  })

  test('a reservation of another process start is unknown', () => {
    const { book } = openBook()
    const other = createBudgetBook({ clock: fixedClock(), random: seededRandom('another start') })
    other.putAdvertiser(advertiserTerms())
    other.putCampaign(campaignTerms())
    const { id } = reserve(other, 10)!
    reserve(book, 10)

    expect(book.confirm(id, 10)).toBe(false)
    expect(book.confirm('', 10)).toBe(false)
    expect(book.confirm(`${id.slice(0, -1)}!`, 10)).toBe(false)
  })

  test('a reservation is refused when memory is full, and accepted when room comes back', () => {
    const { book, clock } = openBook({ reservationsMax: 2 })
    reserve(book, 1)
    reserve(book, 1)

    expect(book.isFull).toBe(true)
    expect(reserve(book, 1)).toBeUndefined()
    expect(book.snapshot()).toMatchObject({ refusedFull: 1, refused: 0 })

    clock.advance(HOLD_SECONDS)
    expect(reserve(book, 1)).toBeDefined()
    expect(book.isFull).toBe(false)
  })

  test('a hold may outlast neither its budget day nor the retry deadline of the book', () => {
    const { book } = openBook()
    const hold = (holdMs: number) => book.reserve({ campaignKey: CAMPAIGN, costMicros: 1, holdMs })

    expect(() => hold(12 * 3_600_000 + 1)).toThrow('is longer than')
    expect(() => hold(0)).toThrow('hold of 0 ms')
  })

  test('thousands of reservations may expire at once: each call ends a limited number', () => {
    const { book, clock } = openBook()
    for (let count = 0; count < 2_500; count++) reserve(book, 1)
    clock.advance(HOLD_SECONDS)

    const left = [1, 2, 3].map(() => book.snapshot().reservations)

    expect(left).toEqual([1_500, 500, 0])
    expect(money(book).today).toEqual([0, 0])
  })

  test('an expired reservation cannot be confirmed, even before a sweep returns its money', () => {
    const { book, clock } = openBook()
    const made = Array.from({ length: 2_500 }, () => reserve(book, 1)!)
    clock.advance(HOLD_SECONDS)

    expect(book.confirm(made.at(-1)!.id, 1)).toBe(false)
    expect(book.snapshot()).toMatchObject({ confirmed: 0, unknown: 1 })
  })
})

describe('a removed campaign', () => {
  test('a removed campaign takes no more reservations and keeps those it has until they expire', () => {
    const { book } = openBook()
    const reservation = reserve(book, 10)!

    book.removeCampaign(CAMPAIGN)

    expect(reserve(book, 1)).toBeUndefined()
    expect(book.judgeSpend(CAMPAIGN, 1)).toBe('exhausted')
    expect(book.confirm(reservation.id, 10)).toBe(true)
    expect(money(book).inAll).toEqual([10, 0])
  })

  test('a removed campaign that comes back still has its spend', () => {
    const { book } = openBook({ campaign: { dailyMicros: 10, totalMicros: 100 } })
    spend(book, 8)

    book.removeCampaign(CAMPAIGN)
    book.putCampaign(campaignTerms({ dailyMicros: 10, totalMicros: 100 }))

    expect(reserve(book, 3)).toBeUndefined()
    expect(money(book)).toEqual({ today: [8, 0], inAll: [8, 0] })
  })

  test('a removed campaign without spend takes no memory once its reservations have expired', () => {
    const { book, clock } = openBook()
    reserve(book, 10)
    book.removeCampaign(CAMPAIGN)
    expect(book.snapshot()).toMatchObject({ campaigns: 1 })

    clock.advance(HOLD_SECONDS)

    expect(book.snapshot()).toMatchObject({ campaigns: 0, reservations: 0 })
  })
})

describe('spend from before the process started', () => {
  const day = Date.parse('2026-06-15') / DAY_MS
  const entries = [
    { level: 'campaign-day', campaignKey: CAMPAIGN, day, spentMicros: 6 },
    { level: 'campaign-lifetime', campaignKey: CAMPAIGN, spentMicros: 60 },
    { level: 'advertiser-day', advertiserKey: ADVERTISER, day, spentMicros: 7 },
  ] as const

  test('restored spend counts at every level', () => {
    const { book } = openBook()

    book.restore(entries)

    expect(book.findCampaign(CAMPAIGN)).toMatchObject({
      day,
      campaignDay: { spentMicros: 6 },
      campaignLifetime: { spentMicros: 60 },
      advertiserDay: { spentMicros: 7 },
    })
  })

  test('restored spend counts once, however often it is restored', () => {
    const { book } = openBook({ campaign: { dailyMicros: 10 } })

    book.restore(entries)
    book.restore(entries)

    expect(money(book)).toEqual({ today: [6, 0], inAll: [60, 0] })
    expect(reserve(book, 4)).toBeDefined()
  })

  test('restored spend that is older than a charge gives no money back', () => {
    const { book } = openBook()
    spend(book, 9)

    book.restore(entries)

    expect(money(book).today).toEqual([9, 0])
  })

  test('spend may be restored before the campaign and the advertiser are known', () => {
    const book = createBudgetBook({ clock: fixedClock(), random: seededRandom() })

    book.restore(entries)
    book.putCampaign(campaignTerms({ dailyMicros: 10 }))
    book.putAdvertiser(advertiserTerms())

    expect(reserve(book, 5)).toBeUndefined()
    expect(reserve(book, 4)).toBeDefined()
  })
})

test('a campaign may spend nothing while its advertiser or the advertiser’s zone is unknown', () => {
  const book = createBudgetBook({ clock: fixedClock(), random: seededRandom() })
  book.putCampaign(campaignTerms())
  expect(book.judgeSpend(CAMPAIGN, 1)).toBe('exhausted')

  book.putAdvertiser(advertiserTerms({ timeZone: 'Mars/Olympus' }))
  expect(reserve(book, 1)).toBeUndefined()

  book.putAdvertiser(advertiserTerms({ timeZone: 'Europe/Paris' }))
  expect(reserve(book, 1)).toBeDefined()
})

test('utilisation is the spent or held share of the day’s budget, else of the lifetime budget', () => {
  const { book } = openBook({ campaign: { dailyMicros: 100, totalMicros: 200 } })
  spend(book, 20)
  reserve(book, 30)
  expect(book.utilisation(CAMPAIGN)).toBe(0.5)

  book.putCampaign(campaignTerms({ totalMicros: 200 }))
  expect(book.utilisation(CAMPAIGN)).toBe(0.25)

  book.putCampaign(campaignTerms())
  expect(book.utilisation(CAMPAIGN)).toBe(0)
  book.putCampaign(campaignTerms({ dailyMicros: 0 }))
  expect(book.utilisation(CAMPAIGN)).toBe(1)
  expect(book.utilisation(404)).toBe(0)
})
