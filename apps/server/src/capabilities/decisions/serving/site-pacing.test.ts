import { DAY_MS, HOUR_MS } from '@placard/calendar'
import { seededDraws } from '@placard/decision-engine'
import { beforeEach, describe, expect, test } from 'vitest'
import type { PacingFields } from '../catalogue/catalogue-rows.ts'
import { addTo, Content, type SiteContent } from '../catalogue/content.ts'
import { HolderLimits } from './holder-limits.ts'
import { SitePacing } from './site-pacing.ts'
import { plainBudgets, type PlainBudgets } from './testing-ports.ts'

const NOON = Date.parse('2026-06-15T12:00:00Z')
const PLACEMENT = 1

let content: Content
let budgets: PlainBudgets
let pacing: SitePacing

beforeEach(() => {
  content = new Content()
  budgets = plainBudgets()
  pacing = new SitePacing({ content, budgets })
  addTo(content.placementsOfSite, 7, PLACEMENT)
})

const site = (pacing: PacingFields = {}, timeZone = 'UTC'): SiteContent => ({
  key: 7,
  publicId: 'site',
  accountKey: 1,
  domain: 'gazette.example',
  isActive: true,
  isProven: true,
  timeZone,
  pacing,
})

/** A campaign on the site with one ad that bids 5 per thousand. */
function addCampaign(key: number, dailyMicros: number | null): void {
  content.campaigns.set(key, {
    publicId: `campaign ${key}`,
    contractRef: null,
    adProduct: null,
    currency: 'EUR',
    isActive: true,
    status: 'active',
    startsAtMs: null,
    pricing: 'cpm',
    rateMicros: 0,
    dailyMicros,
    strategy: 'Smooth',
  })
  content.ads.set(key, {
    publicId: `ad ${key}`,
    campaignKey: key,
    bannerKey: key,
    bidMicros: 5_000_000,
  })
  addTo(content.adsOfCampaign, key, key)
  addTo(content.campaignsOfPlacement, PLACEMENT, key)
  budgets.putCampaign({
    campaignKey: key,
    advertiserKey: 1,
    dailyMicros: dailyMicros ?? undefined,
    totalMicros: undefined,
    strategy: 'Smooth',
  })
}

/** Sends page calls at an even rate; returns the throttle of the last. */
function arrive(on: SiteContent, { from = NOON, seconds = 60, perSecond = 10 } = {}): number {
  let throttle = 0
  for (let call = 0; call < seconds * perSecond; call++) {
    throttle = pacing.arrive(on, from + (call * 1_000) / perSecond).throttle
  }
  return throttle
}

/**
 * A simulated day of calls at random times, each paid while there is money. The day's edges are
 * left out.
 */
function servedByTenSeconds(day: {
  readonly perSecond: number
  readonly daySeconds: number
  readonly callsPaid: number
}): readonly number[] {
  const { perSecond, daySeconds, callsPaid } = day
  const dailyMicros = callsPaid * 5_000
  addCampaign(1, dailyMicros)
  const on = site({ dayDurationSeconds: daySeconds })
  const draws = seededDraws(1)
  const served = Array.from({ length: daySeconds / 10 }, () => 0)
  let spent = 0
  for (let second = 0; second < daySeconds; second -= Math.log(1 - draws.next()) / perSecond) {
    const { isHeld } = pacing.arrive(on, NOON + second * 1_000)
    if (isHeld || spent + 5_000 > dailyMicros) continue
    spent += 5_000
    budgets.spent.set(1, spent)
    pacing.notePaid(on, 5_000)
    served[Math.floor(second / 10)]!++
  }
  return served.slice(1, -1)
}

describe('SitePacing', () => {
  test('a site without daily budgets holds nothing back', () => {
    addCampaign(1, null)

    expect(arrive(site())).toBe(0)
  })

  test('traffic beyond what the budgets can pay for is held back', () => {
    addCampaign(1, 864_000_000)
    const on = site()
    pacing.arrive(on, NOON)
    budgets.spent.set(1, 8_640_000)

    expect(arrive(on, { perSecond: 20 })).toBeCloseTo(0.9, 1)
  })

  test('a node that starts late in the day holds back no more than one that ran all day', () => {
    addCampaign(1, 86_400_000_000)
    budgets.spent.set(1, 60_000_000_000)

    expect(arrive(site(), { perSecond: 5 })).toBe(0)
  })

  test('the payable page calls follow from what calls really pay, not from the bids', () => {
    addCampaign(1, 864_000_000)
    const on = site()
    pacing.arrive(on, NOON)
    budgets.spent.set(1, 8_640_000)
    for (let call = 0; call < 100; call++) pacing.notePaid(on, 2_500)

    // Winners pay half of their bid, so the budgets pay for twice as many calls.
    expect(arrive(on, { perSecond: 20 })).toBeCloseTo(0.8, 1)
  })

  test.each([100, 20, 10, 4])(
    'on a day of ten minutes with %i random calls a second and money for one, the line of 10 s is steady',
    (perSecond) => {
      const served = servedByTenSeconds({ perSecond, daySeconds: 600, callsPaid: 600 })
      const mean = served.reduce((sum, count) => sum + count, 0) / served.length
      const squares = served.reduce((sum, count) => sum + (count - mean) ** 2, 0)

      expect(mean).toBeGreaterThan(9)
      expect(mean).toBeLessThan(10.5)
      expect(Math.sqrt(squares / served.length)).toBeLessThan(mean / 3)
    },
  )

  test('calls of one address beyond its limit bend no plan, take no turn, and find no ad where calls are held back', () => {
    const callLimits = new HolderLimits({ max: 100, windowMs: 10_000 })
    addCampaign(1, 864_000_000)
    const stranger = { number: 1, isVouched: false }
    const readersOf = (pacing: SitePacing, strangerCalls: number) => {
      const on = site()
      pacing.arrive(on, NOON)
      budgets.spent.set(1, 8_640_000)
      let [served, servedToStranger] = [0, 0]
      for (let call = 0; call < 20 * 60; call++) {
        const nowMs = NOON + 1 + call * 50
        for (let extra = 0; extra < strangerCalls; extra++) {
          if (!pacing.arrive(on, nowMs, stranger).isHeld) servedToStranger++
        }
        if (!pacing.arrive(on, nowMs, { number: 2 + (call % 300), isVouched: false }).isHeld)
          served++
      }
      budgets.spent.delete(1)
      return { served, servedToStranger }
    }

    const quiet = readersOf(pacing, 0)
    const flooded = readersOf(new SitePacing({ content, budgets, callLimits }), 50)
    const unbounded = readersOf(new SitePacing({ content, budgets }), 50)

    expect(flooded.served).toBeGreaterThan(quiet.served * 0.5)
    expect(flooded.servedToStranger).toBeLessThan(700)
    expect(unbounded.served).toBeLessThan(quiet.served * 0.2)
  })

  test('traffic that the budgets can pay for is not held back', () => {
    addCampaign(1, 86_400_000_000)

    expect(arrive(site())).toBe(0)
  })

  test('a site whose budgets of the day are all spent stops', () => {
    addCampaign(1, 1_000_000)
    budgets.spent.set(1, 1_000_000)

    expect(arrive(site())).toBe(1)
  })

  test('a campaign without a budget goes on when the budgets of others are spent', () => {
    addCampaign(1, 1_000_000)
    addCampaign(2, null)
    budgets.spent.set(1, 1_000_000)

    expect(arrive(site())).toBe(0)
  })

  test('a campaign whose bid agent plans its day is not held back a second time', () => {
    addCampaign(1, 864_000_000)
    budgets.spent.set(1, 8_640_000)
    pacing = new SitePacing({ content, budgets, agents: new Set([1]) })

    expect(arrive(site(), { perSecond: 20 })).toBe(0)
  })

  test('a fixed throttle overrides the controller', () => {
    addCampaign(1, null)

    expect(arrive(site({ testThrottleOverride: 0.25 }))).toBe(0.25)
  })

  test('a site in warm-up serves nothing', () => {
    addCampaign(1, null)

    expect(arrive(site({ warmupMode: true }))).toBe(1)
  })

  test('a changed throttle applies from the next page call', () => {
    addCampaign(1, null)
    arrive(site({ testThrottleOverride: 0.25 }))

    expect(arrive(site({ testThrottleOverride: 0.75 }), { from: NOON + HOUR_MS })).toBe(0.75)
  })

  test('the day is the publisher’s: it is half over at local noon', () => {
    addCampaign(1, null)

    const inTokyo = pacing.arrive(site({}, 'Asia/Tokyo'), Date.parse('2026-06-15T03:00:00Z'))

    expect(inTokyo.expectedShare).toBeCloseTo(0.5)
  })

  test('a day of 25 hours is not over after 24 hours', () => {
    addCampaign(1, 86_400_000_000)
    const berlin = site({}, 'Europe/Berlin')
    const lastHour = Date.parse('2026-10-25T22:30:00Z')

    expect(arrive(berlin, { from: lastHour })).toBe(0)
    expect(pacing.arrive(berlin, lastHour).expectedShare).toBeCloseTo(24.5 / 25)
  })

  test('a simulated day of ten minutes is half over after five', () => {
    addCampaign(1, null)
    const simulated = site({ dayDurationSeconds: 600 })

    expect(pacing.arrive(simulated, NOON + 300_000).expectedShare).toBeCloseTo(0.5)
  })

  test('volumes set by a person shape the day', () => {
    addCampaign(1, null)
    const morningOnly = Array.from({ length: 24 }, (_, hour) => (hour < 12 ? 1 : 0))

    const { expectedShare } = pacing.arrive(site({ weekdayVolumes: morningOnly }), NOON)

    expect(expectedShare).toBeCloseTo(1)
  })

  test('a finished day updates the learned traffic shape', () => {
    addCampaign(1, null)
    const even = site()
    const midnight = Date.parse('2026-06-15T00:00:00Z')
    for (let hour = 0; hour < 12; hour++) {
      arrive(even, { from: midnight + hour * HOUR_MS, seconds: 10 })
    }

    const nextNoon = pacing.arrive(even, NOON + DAY_MS).expectedShare

    expect(nextNoon).toBeGreaterThan(0.55)
  })

  test('a new day forgets that yesterday’s budgets ran out', () => {
    addCampaign(1, 86_400_000_000)
    budgets.spent.set(1, 86_400_000_000)
    expect(arrive(site())).toBe(1)

    budgets.spent.clear()

    expect(arrive(site(), { from: NOON + DAY_MS })).toBe(0)
  })
})
