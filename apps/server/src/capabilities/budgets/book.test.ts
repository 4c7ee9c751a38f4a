import type { SpendVerdict } from '@placard/decision-engine'
import { describe, expect, test } from 'vitest'
import { fixedClock, seededChance } from '../../testing/fixed.ts'
import type { AdvertiserTerms, BudgetBook, CampaignTerms } from './book.ts'
import { createBudgetBook } from './memory-book.ts'

const CAMPAIGN = 11
const ADVERTISER = 1
const MINUTE_MS = 60_000

interface World {
  readonly start?: string
  readonly campaign?: Partial<CampaignTerms>
  readonly advertiser?: Partial<AdvertiserTerms>
  readonly reservationsMax?: number
}

const campaignTerms = (terms: Partial<CampaignTerms> = {}): CampaignTerms => ({
  campaignKey: CAMPAIGN,
  advertiserKey: ADVERTISER,
  dailyMicros: undefined,
  totalMicros: undefined,
  strategy: 'Accelerated',
  hasBidAgent: false,
  ...terms,
})

const advertiserTerms = (terms: Partial<AdvertiserTerms> = {}): AdvertiserTerms => ({
  advertiserKey: ADVERTISER,
  dailyMicros: undefined,
  timeZone: 'UTC',
  ...terms,
})

function openBook({ start, campaign, advertiser, ...options }: World = {}) {
  const clock = fixedClock(start)
  const told: [number, SpendVerdict][] = []
  const book = createBudgetBook({
    clock,
    chance: seededChance(),
    onVerdictChange: (key, verdict) => told.push([key, verdict]),
    ...options,
  })
  book.putAdvertiser(advertiserTerms(advertiser))
  book.putCampaign(campaignTerms(campaign))
  return { book, clock, told }
}

const reserve = (book: BudgetBook, costMicros: number, campaignKey = CAMPAIGN) =>
  book.reserve({ campaignKey, costMicros, holdMs: MINUTE_MS })

function spend(book: BudgetBook, costMicros: number, campaignKey = CAMPAIGN): void {
  const reservation = reserve(book, costMicros, campaignKey)
  expect(book.confirm(reservation!.id, costMicros)).toBe(true)
}

const dayHeld = (book: BudgetBook) => book.findCampaign(CAMPAIGN)!.campaignDay.heldMicros

describe('a limit', () => {
  test.each([
    ['the campaign day', { campaign: { dailyMicros: 10 } }],
    ['the campaign lifetime', { campaign: { totalMicros: 10 } }],
    ['the advertiser day', { advertiser: { dailyMicros: 10 } }],
  ])('of %s is reached to the micro and never passed', (_level, world) => {
    const { book } = openBook(world)

    expect(reserve(book, 7)).toBeDefined()
    expect(reserve(book, 4)).toBeUndefined()
    expect(book.judgeSpend(CAMPAIGN, 4)).toBe('exhausted')
    expect(reserve(book, 3)).toBeDefined()
    expect(book.judgeSpend(CAMPAIGN, 1)).toBe('exhausted')
  })

  test('of 10,000 micros admits 10,000 of a burst of 10,007 reservations', () => {
    const { book } = openBook({ campaign: { dailyMicros: 10_000 } })

    const admitted = Array.from({ length: 10_007 }, () => reserve(book, 1)).filter(Boolean)

    expect(admitted).toHaveLength(10_000)
    expect(dayHeld(book)).toBe(10_000)
    expect(new Set(admitted.map((reservation) => reservation!.id)).size).toBe(10_000)
  })

  test('lowered below what is spent stops delivery at once, and raised again resumes it', () => {
    const { book } = openBook({ campaign: { dailyMicros: 100 } })
    spend(book, 60)

    book.putCampaign(campaignTerms({ dailyMicros: 50 }))
    expect(reserve(book, 1)).toBeUndefined()
    expect(book.judgeSpend(CAMPAIGN, 1)).toBe('exhausted')

    book.putCampaign(campaignTerms({ dailyMicros: 61 }))
    expect(reserve(book, 1)).toBeDefined()
  })

  test('does not stop what costs nothing', () => {
    const { book } = openBook({ campaign: { dailyMicros: 0 } })

    expect(reserve(book, 0)).toBeDefined()
    expect(reserve(book, 1)).toBeUndefined()
  })
})
