import { DAY_MS } from '@placard/calendar'
import { applyChange, createIndex, finishLoad } from '@placard/decision-engine'
import { expect, test } from 'vitest'
import { fixedClock, seededRandom } from '../../../testing/fixed.ts'
import { freshDatabase } from '../../../testing/services/database.ts'
import { createBudgetBook } from '../../budgets/index.ts'
import { Content } from '../catalogue/content.ts'
import { deliveryFacts } from './facts.ts'
import { claimChecks, releaseChecks } from './store.ts'

const CAMPAIGN = 7
const BUDGET = 50_000

interface Limits {
  readonly dailyMicros?: number
  readonly totalMicros?: number
  readonly advertiserMicros?: number
}

/** The budget that holds a campaign back once it has spent 50,000 micros. */
function budgetOf({ dailyMicros, totalMicros, advertiserMicros }: Limits) {
  const clock = fixedClock()
  const budgets = createBudgetBook({ clock, random: seededRandom() })
  const advertiserKey = 1
  budgets.putAdvertiser({ advertiserKey, dailyMicros: advertiserMicros, timeZone: 'UTC' })
  const strategy = 'Accelerated' as const
  budgets.putCampaign({ campaignKey: CAMPAIGN, advertiserKey, dailyMicros, totalMicros, strategy })
  const nowMs = clock.now().getTime()
  const day = Math.floor(nowMs / DAY_MS)
  budgets.restore([
    { level: 'campaign-day', campaignKey: CAMPAIGN, day, spentMicros: BUDGET },
    { level: 'campaign-lifetime', campaignKey: CAMPAIGN, spentMicros: BUDGET },
    { level: 'advertiser-day', advertiserKey, day, spentMicros: BUDGET },
  ])
  const content = new Content()
  content.campaigns.set(CAMPAIGN, {
    publicId: 'campaign',
    contractRef: null,
    currency: 'EUR',
    isActive: true,
    status: 'active',
    startsAtMs: null,
    pricing: 'cpm',
    rateMicros: 0,
    adProduct: null,
    dailyMicros: dailyMicros ?? null,
    strategy,
  })
  const live = {
    isFull: false,
    judgeSpend: (key: number, cost: number) => budgets.judgeSpend(key, cost),
    utilisation: () => 0,
    seen: () => 0,
    reserve: () => true,
  }
  const sources = { index: anIndex(), content, budgets, live, isServing: () => true }
  return deliveryFacts(sources, CAMPAIGN, { nowMs, heardOn: () => [] })?.budget
}

/** One ad of the campaign on one placement. */
function anIndex() {
  const index = createIndex()
  applyChange(index, {
    put: 'placement',
    record: {
      key: 1,
      slug: 'home-top',
      type: 'feed',
      mode: 'auction',
      active: true,
      maxBanners: 1,
      allowPartialRender: false,
      rotation: 'ordered',
      floorMicros: 0,
      timeZone: 'UTC',
    },
  })
  applyChange(index, {
    put: 'campaign',
    record: {
      key: CAMPAIGN,
      advertiserKey: 1,
      status: 'active',
      pricing: 'cpm',
      bidMultiplier: 1,
      mayExceedMax: false,
      rateMicros: 0,
      priority: 0,
      impressionCapReached: false,
      clickCapReached: false,
    },
  })
  applyChange(index, {
    put: 'banner',
    record: {
      key: 1,
      advertiserKey: 1,
      format: 'single_image',
      active: true,
      scheduleStatus: 'evergreen',
      timeZone: 'UTC',
      evergreenFallback: false,
      priority: 0,
    },
  })
  const ad = { key: 1, campaignKey: CAMPAIGN, bannerKey: 1, active: true, bidMicros: 5_000_000 }
  applyChange(index, { put: 'ad', record: ad })
  const link = { campaignKey: CAMPAIGN, placementKey: 1, active: true }
  applyChange(index, { put: 'campaign-placement', record: link })
  finishLoad(index)
  return index
}

test('of the three budgets the one that is spent is named', () => {
  expect(budgetOf({})).toBeUndefined()
  expect(budgetOf({ dailyMicros: 2 * BUDGET })).toBeUndefined()
  expect(budgetOf({ dailyMicros: BUDGET })).toBe('budget-day')
  expect(budgetOf({ totalMicros: BUDGET, dailyMicros: BUDGET })).toBe('budget-total')
  expect(budgetOf({ advertiserMicros: BUDGET, dailyMicros: 2 * BUDGET })).toBe('budget-advertiser')
})

test('of all nodes one checks the campaigns, until it gives up or falls silent', async () => {
  const { db, pool } = await freshDatabase()
  const claim = (node: string) => claimChecks(db, { node, seconds: 60 })

  expect([await claim('one'), await claim('two'), await claim('one')]).toEqual([true, false, true])
  await releaseChecks(db, 'two')
  expect(await claim('two')).toBe(false)
  await releaseChecks(db, 'one')
  expect(await claim('two')).toBe(true)
  await pool.query(`update delivery_checker set until = now() - interval '1 second'`)
  expect(await claim('one')).toBe(true)
})
