import type { Winner } from '@placard/decision-engine'
import { beforeEach, describe, expect, test } from 'vitest'
import type { UserCounts } from '../../frequency/index.ts'
import { Content } from '../catalogue/content.ts'
import { HolderLimits } from './holder-limits.ts'
import { type LiveSetting, RequestLive } from './request-holds.ts'
import { plainBudgets, plainCounters, type PlainBudgets } from './testing-ports.ts'

const CAMPAIGN = 3
const winner: Winner = {
  source: 'auction',
  key: 1,
  bannerKey: 2,
  campaignKey: CAMPAIGN,
  advertiserKey: 4,
  format: 'image',
  isCapped: true,
  pricing: 'cpm',
  effectiveBidMicros: 5_000_000,
  chargeMicros: 4_000_000,
  costMicros: 4_000,
  score: 5_000,
  secondScore: undefined,
  finalPriceMicros: 4_000,
  ctr: 0.02,
  quality: 1,
}

let content: Content
let budgets: PlainBudgets

beforeEach(() => {
  content = new Content()
  budgets = plainBudgets()
})

const counters = plainCounters()
const live = (setting: Partial<LiveSetting> = {}) =>
  new RequestLive({ content, budgets, counters }, { counts: undefined, isDry: false, ...setting })

const refusing: UserCounts = { seen: () => 0, hold: () => undefined }
const cap = { scope: 'ad', key: 1, window: 'Day', impressionsMax: 1 } as const

describe('reserve', () => {
  test('reserve gives the money back when the impression cannot be held', () => {
    content.caps.ad.set(1, [cap])

    expect(live({ counts: refusing }).reserve(winner)).toBe(false)
    expect(budgets.heldMicros.get(CAMPAIGN)).toBe(0)
  })

  test.each([
    { costMicros: 333, ctr: 0.01, heldMicros: 4 },
    { costMicros: 300, ctr: 0.01, heldMicros: 3 },
    { costMicros: 333, ctr: 0, heldMicros: 1 },
    { costMicros: 333, ctr: 1.5, heldMicros: 333 },
  ])(
    'a click of $costMicros micros at a rate of $ctr holds its expected cost, rounded up: $heldMicros',
    ({ costMicros, ctr, heldMicros }) => {
      live().reserve({ ...winner, pricing: 'cpc', costMicros, ctr })

      expect(budgets.heldMicros.get(CAMPAIGN)).toBe(heldMicros)
    },
  )

  test('reserve holds no impression when there is no money', () => {
    content.caps.ad.set(1, [cap])
    budgets.refusing.add(CAMPAIGN)
    const held: unknown[] = []
    const counts: UserCounts = { seen: () => 0, hold: (caps) => void held.push(caps) }

    expect(live({ counts }).reserve(winner)).toBe(false)
    expect(held).toEqual([])
  })

  test('reserve holds an impression under the caps of ad, campaign and advertiser at once', () => {
    const caps = {
      ad: cap,
      campaign: { ...cap, scope: 'campaign', key: CAMPAIGN },
      advertiser: { ...cap, scope: 'advertiser', key: 4 },
    } as const
    content.caps.ad.set(1, [caps.ad])
    content.caps.campaign.set(CAMPAIGN, [caps.campaign])
    content.caps.advertiser.set(4, [caps.advertiser])
    const held: unknown[] = []
    const counts: UserCounts = {
      seen: () => 0,
      hold(caps) {
        held.push(...caps)
        return { id: 'hold' }
      },
    }

    live({ counts }).reserve(winner)

    expect(held).toEqual(Object.values(caps))
  })

  test('the caps of an ad do not apply to a booking with the same key', () => {
    content.caps.ad.set(1, [cap])

    expect(live({ counts: refusing }).reserve({ ...winner, source: 'booking' })).toBe(true)
  })

  test('a video is held for as long as it may take to start', () => {
    const holdMs: number[] = []
    const reserve = budgets.reserve.bind(budgets)
    budgets.reserve = (order) => {
      holdMs.push(order.holdMs)
      return reserve(order)
    }

    live().reserve(winner)
    live().reserve({ ...winner, format: 'video' })

    expect(holdMs).toEqual([60_000, 1_800_000])
  })

  test('a reader whom nothing vouches for is held for ten seconds at most, videos too', () => {
    const orders: Parameters<typeof budgets.reserve>[0][] = []
    const reserve = budgets.reserve.bind(budgets)
    budgets.reserve = (order) => {
      orders.push(order)
      return reserve(order)
    }
    const stranger = { number: 7, isVouched: false }
    const vouched = { number: 7, isVouched: true }

    live({ holder: stranger }).reserve({ ...winner, format: 'video' })
    live({ holder: vouched }).reserve(winner)
    live().reserve(winner)

    expect(orders).toMatchObject([
      { holdMs: 10_000, holder: stranger, nextCostMicros: 5_000 },
      { holdMs: 60_000, holder: vouched },
      { holdMs: 60_000, holder: undefined },
    ])
  })

  test('a reader who began as many holds as one may gets only what needs none', () => {
    const holdLimits = new HolderLimits({ max: 1, windowMs: 10_000 })
    const deps = { content, budgets, counters, holdLimits }
    const request = () =>
      new RequestLive(deps, {
        counts: undefined,
        isDry: false,
        nowMs: 0,
        holder: { number: 7, isVouched: false },
      })
    expect(request().reserve(winner)).toBe(true)

    const next = request()
    expect(next.reserve(winner)).toBe(false)
    expect(next.isFull).toBe(true)
    expect(next.reserve({ ...winner, costMicros: 0, isCapped: false })).toBe(true)
    expect(holdLimits.refused).toBe(1)
  })

  test('after four campaigns of which the reader may hold no more, the next best need not try', () => {
    const request = live({ holder: { number: 7, isVouched: true } })
    const tried = [1, 2, 3, 4].map((campaignKey) => {
      budgets.refusing.add(campaignKey)
      const wasFull = request.isFull
      request.reserve({ ...winner, campaignKey })
      return wasFull
    })

    expect([...tried, request.isFull]).toEqual([false, false, false, false, true])
  })

  test('a house banner holds no money', () => {
    expect(live().reserve({ ...winner, campaignKey: undefined })).toBe(true)
    expect(budgets.heldMicros.size).toBe(0)
  })

  test('reservedFor finds what is held for a winner', () => {
    const request = live()
    request.reserve(winner)

    expect(request.reservedFor(winner)).toMatchObject({ reservation: { costMicros: 4_000 } })
  })
})

describe('awaitHolds', () => {
  test('a refusal by Redis releases everything and keeps the winner out', async () => {
    content.caps.ad.set(1, [cap])
    const request = live({ counts: { seen: () => 0, hold: async () => undefined } })
    const other = { ...winner, key: 9, campaignKey: 8 }
    request.reserve(winner)
    request.reserve(other)

    expect(await request.awaitHolds()).toBe(false)
    expect([...budgets.heldMicros.values()]).toEqual([0, 0])
    expect([request.reserve(winner), request.reserve(other)]).toEqual([false, true])
  })

  test('holds granted by Redis are found by reservedFor', async () => {
    content.caps.ad.set(1, [cap])
    const request = live({ counts: { seen: () => 0, hold: async () => ({ id: 'far' }) } })
    request.reserve(winner)

    expect(await request.awaitHolds()).toBe(true)
    expect(request.reservedFor(winner)).toMatchObject({ hold: { id: 'far' } })
  })
})

const aCampaign = (strategy: 'Smooth' | 'Accelerated') => {
  content.campaigns.set(CAMPAIGN, { dailyMicros: 1_000, strategy } as never)
  budgets.putCampaign({ campaignKey: CAMPAIGN, dailyMicros: 1_000 } as never)
  budgets.spent.set(CAMPAIGN, 800)
}
const passes = () => {
  const seeds = Array.from({ length: 400 }, (_, seed) => seed)
  const fair = seeds.filter(
    (seed) =>
      live({ fairness: { expectedShare: 0.2, seed } }).judgeSpend(CAMPAIGN, 1) === 'may-spend',
  )
  return fair.length / seeds.length
}

describe('fairness on a page', () => {
  test('a campaign four times ahead of its plan passes in one page call of four', () => {
    aCampaign('Smooth')

    expect(passes()).toBeCloseTo(0.25, 1)
  })

  test('an accelerated campaign always passes', () => {
    aCampaign('Accelerated')

    expect(passes()).toBe(1)
  })
})
