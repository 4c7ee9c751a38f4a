import { DAY_MS } from '@placard/calendar'
import { expect, test } from 'vitest'
import { createBudgetBook } from '../../apps/server/src/capabilities/budgets/book/memory-book.ts'
import { addTo, Content } from '../../apps/server/src/capabilities/decisions/catalogue/content.ts'
import { SitePacing } from '../../apps/server/src/capabilities/decisions/serving/site-pacing.ts'
import { fixedClock, seededRandom } from '../../apps/server/src/testing/fixed.ts'
import {
  agentOf,
  forecastTraffic,
  historyOf,
  seededDraws,
  WINDOWS_PER_DAY,
} from '../../packages/learning/src/index.ts'

const MIDNIGHT = '2026-06-15T00:00:00Z'
const DAY = Date.parse(MIDNIGHT) / DAY_MS
const BUDGET = 6_000_000
const BID_CPM = 5_000_000
const CAMPAIGN = 1
const OUTAGE = { from: 40, to: 48 }

/** Past nights had hardly any readers. Tonight some come, and in the morning the site is down. */
const pastRequests = (window: number) => (window < 24 ? (window === 3 ? 1 : 0) : 60)
const requestsToday = (window: number) =>
  window < 24 ? 10 : window >= OUTAGE.from && window < OUTAGE.to ? 0 : 60

const priceDraw = (draws: { next(): number }) =>
  Math.round(2_500 * Math.exp(draws.next() + draws.next() - 1))

function pastDay(seed: number) {
  const draws = seededDraws(seed)
  const windows = Array.from({ length: WINDOWS_PER_DAY }, (_, window) =>
    Array.from({ length: pastRequests(window) }, () => window),
  ).flat()
  const count = windows.length
  const auctions = {
    count,
    window: Uint8Array.from(windows),
    price: Int32Array.from(windows, () => priceDraw(draws)),
    pctr: new Float64Array(count).fill(1),
    click: new Uint8Array(count),
  }
  return { auctions, sampledShare: 1, deliveredShare: 1, spentMicros: BUDGET }
}

const terms = {
  budget: BUDGET,
  bookedK: BID_CPM / 1_000,
  multiplierMin: 0.1,
  multiplierMax: 1,
  isSmooth: true,
  usualSpend: BUDGET,
}

/** A site with one campaign and its bid agent, with or without the site's pacing. */
function liveThrough({ hasPacer }: { readonly hasPacer: boolean }) {
  const clock = fixedClock(MIDNIGHT)
  const book = createBudgetBook({ clock, random: seededRandom() })
  book.putAdvertiser({ advertiserKey: 1, dailyMicros: undefined, timeZone: 'UTC' })
  const content = contentOf()
  const pacing = new SitePacing({ content, budgets: book, agents: new Set([CAMPAIGN]) })
  const site = {
    key: 7,
    publicId: 'site',
    accountKey: 1,
    domain: 'gazette.example',
    isActive: true,
    isProven: true,
    timeZone: 'UTC',
    pacing: {},
  }

  const { curve, requests } = historyOf([1, 2, 3].map(pastDay))
  const agent = agentOf('re-solve', terms, { curve })
  agent.begin({ budget: BUDGET, windows: WINDOWS_PER_DAY, traffic: forecastTraffic(requests) })
  const draws = seededDraws(9)
  const windows = Array.from({ length: WINDOWS_PER_DAY }, (_, window) => {
    const multiplier = agent.multiplier / terms.bookedK
    const before = book.utilisation(CAMPAIGN) * BUDGET
    const brake = { day: DAY, micros: Math.round(before + agent.spendMax) }
    book.putCampaign({
      campaignKey: CAMPAIGN,
      advertiserKey: 1,
      dailyMicros: BUDGET,
      totalMicros: undefined,
      strategy: 'Smooth',
      brake,
    })
    let wins = 0
    let spend = 0
    const requests = requestsToday(window)
    for (let at = 0; at < requests; at++) {
      clock.advance(900 / requests)
      const price = priceDraw(draws)
      const throttle = pacing.arrive(site, clock.now().getTime()).throttle
      const isHeldBack = draws.next() < (hasPacer ? throttle : 0)
      if (isHeldBack || multiplier * terms.bookedK < price) continue
      const held = book.reserve({ campaignKey: CAMPAIGN, costMicros: price, holdMs: 60_000 })
      if (held === undefined) continue
      book.confirm(held.id, price)
      wins++
      spend += price
    }
    if (requests === 0) clock.advance(900)
    agent.observe({ requests, wins, spend, value: wins, clicks: 0 })
    return { requests, wins, spend, multiplier }
  })
  return { windows, spent: windows.reduce((sum, { spend }) => sum + spend, 0) }
}

function contentOf(): Content {
  const content = new Content()
  content.campaigns.set(CAMPAIGN, {
    publicId: 'campaign',
    contractRef: null,
    adProduct: null,
    currency: 'EUR',
    isActive: true,
    status: 'active',
    startsAtMs: null,
    pricing: 'cpm',
    rateMicros: 0,
    dailyMicros: BUDGET,
    strategy: 'Smooth',
  })
  content.ads.set(1, { publicId: 'ad', campaignKey: CAMPAIGN, bannerKey: 1, bidMicros: BID_CPM })
  addTo(content.adsOfCampaign, CAMPAIGN, 1)
  addTo(content.campaignsOfPlacement, 1, CAMPAIGN)
  addTo(content.placementsOfSite, 7, 1)
  return content
}

test('a night without planned traffic and a morning without readers cause no blackout, and the budget is spent', () => {
  const { windows, spent } = liveThrough({ hasPacer: true })

  const night = windows.slice(0, 24)
  expect(night.filter(({ wins }) => wins === 0).length).toBeLessThan(3)
  const day = windows.slice(24, 90).filter(({ requests }) => requests > 0)
  expect(day.filter(({ wins }) => wins === 0)).toEqual([])
  expect(spent).toBeLessThanOrEqual(BUDGET)
  expect(spent).toBeGreaterThan(0.95 * BUDGET)
})

test("the site's pacing and the agent do not work against each other", () => {
  expect(liveThrough({ hasPacer: true })).toEqual(liveThrough({ hasPacer: false }))
})

test('the multiplier is stable during the day', () => {
  const { windows } = liveThrough({ hasPacer: true })
  const multipliers = windows.slice(32, 88).map(({ multiplier }) => multiplier)

  expect(Math.max(...multipliers) / Math.min(...multipliers)).toBeLessThan(1.5)
})
