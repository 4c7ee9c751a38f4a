import { expect, test } from 'vitest'
import { CAMPAIGN, HOLD_MS, openBook } from './testing-book.ts'
import type { Holder } from './hold-share.ts'

const STRANGER: Holder = { number: 1, isVouched: false }
const OTHER: Holder = { number: 2, isVouched: false }
const VOUCHED: Holder = { number: 3, isVouched: true }

/** A budget of 1,000 in which a showing is held at 10 and may cost 20. */
function aBudget(terms = {}) {
  const it = openBook({ campaign: { dailyMicros: 1_000 }, ...terms })
  const hold = (holder: Holder | undefined, count = 1) =>
    Array.from({ length: count }, () => reserveFor(it.book, holder)).filter(Boolean).length
  return { ...it, hold }
}

const reserveFor = (book: ReturnType<typeof openBook>['book'], holder: Holder | undefined) =>
  book.reserve({
    campaignKey: CAMPAIGN,
    costMicros: 10,
    holdMs: HOLD_MS,
    holder,
    nextCostMicros: 20,
  })

test('one reader holds a tenth of what is free, and all that nothing vouches for the half', () => {
  const { book, hold } = aBudget()

  expect(hold(STRANGER, 100)).toBe(10)
  expect(hold(OTHER, 100)).toBe(9)
  const others = Array.from({ length: 50 }, (_, at) => ({ number: 10 + at, isVouched: false }))
  expect(others.reduce((sum, holder) => sum + hold(holder, 100), 0)).toBe(31)
  expect(book.findCampaign(CAMPAIGN)!.campaignDay.heldMicros).toBe(500)
  expect(book.snapshot().refusedShare).toMatchObject({ last: 0 })
})

test('what strangers may not hold is left for readers whom somebody vouches for', () => {
  const { hold } = aBudget()
  for (let number = 10; number < 60; number++) hold({ number, isVouched: false }, 100)

  expect(hold(VOUCHED, 100)).toBe(5)
  expect(hold(undefined, 100)).toBe(45)
})

test('the last showing of a budget is held for one reader once in ten minutes', () => {
  const { book, clock, hold } = aBudget({ campaign: { dailyMicros: 20 } })
  expect(hold(STRANGER)).toBe(1)
  clock.advance(61)

  expect(hold(STRANGER)).toBe(0)
  expect(book.snapshot().refusedShare.last).toBe(1)
  expect(hold(OTHER)).toBe(1)
  clock.advance(538)
  expect(hold(STRANGER)).toBe(0)
  clock.advance(2)
  expect(hold(STRANGER)).toBe(1)
})

test('the budget that several campaigns of an advertiser share is bounded as one', () => {
  const { book, hold } = openAdvertiser()

  expect(hold(1, 100)).toBe(10)
  expect(hold(2, 100)).toBe(0)
  expect(book.snapshot().refusedShare.holder).toBeGreaterThan(0)
})

/** Two campaigns without a budget of their own, and 1,000 a day for both. */
function openAdvertiser() {
  const { book } = openBook({ advertiser: { dailyMicros: 1_000 } })
  for (const campaignKey of [1, 2]) {
    const terms = { campaignKey, advertiserKey: 1, strategy: 'Accelerated' as const }
    book.putCampaign({ ...terms, dailyMicros: undefined, totalMicros: undefined })
  }
  const order = { costMicros: 10, holdMs: HOLD_MS, holder: STRANGER, nextCostMicros: 20 }
  const hold = (campaignKey: number, count: number) =>
    Array.from({ length: count }, () => book.reserve({ ...order, campaignKey })).filter(Boolean)
      .length
  return { book, hold }
}

test('a campaign without a budget has no bound', () => {
  const { hold } = aBudget({ campaign: {} })

  expect(hold(STRANGER, 500)).toBe(500)
})

test('with a hundred percent one reader may hold all but the last showing', () => {
  const { hold } = aBudget({ holdShares: { perHolder: 1, unvouched: 1 } })

  expect(hold(STRANGER, 200)).toBe(99)
})
