import { createHash } from 'node:crypto'
import { rounded, safeDivide } from '../../reports/index.ts'
import {
  daysFrom,
  type EntityBudget,
  type Level,
  type StatCounts,
  type StatProvider,
  statRow,
} from './stat.ts'

/** Plausible figures from random numbers that depend only on the thing, its level and the day. */
export const mockProvider: StatProvider = {
  adSource: 'META',
  days: 'latest',
  everyMinutes: 5,
  async fetchStats(request) {
    const { advertiserId, level, entities, from, to } = request
    const rows = entities.flatMap((entity) =>
      daysFrom(from, to).map((day) => {
        const draw = mulberry32(seedOf(`${advertiserId}:${entity.id}:${day}`))
        return statRow(request, {
          entity,
          day,
          counts: mockCounts(baseSpend(level, entity.budget), draw),
        })
      }),
    )
    return { rows }
  },
}

const MICROS = 1_000_000
const LIFETIME_DAYS = 30

/** Average spend of a day, in the currency. The parts of a campaign share its money equally. */
export function baseSpend(level: Level, budget: EntityBudget): number {
  const { dailyMicros, totalMicros, adSets, ads } = budget
  const campaign =
    dailyMicros === undefined
      ? rounded(Number(totalMicros ?? 0n) / MICROS / LIFETIME_DAYS, 2)
      : Number(dailyMicros) / MICROS
  if (level === 'CAMPAIGN') return campaign
  const adSet = safeDivide(campaign, adSets)
  return level === 'ADSET' ? adSet : safeDivide(adSet, ads)
}

const CPM = 8.5
const RATES = {
  linkClicks: 0.02,
  contentViews: 0.7,
  addToCart: 0.12,
  checkoutInitiated: 0.5,
  purchases: 0.4,
} as const
const ORDER_VALUE = { from: 35, spread: 115 } as const

/** The order of the eight draws must not change, because the figures depend on it. */
function mockCounts(base: number, draw: () => number): StatCounts {
  const step = (whole: number) => Math.max(0, Math.round(whole * (0.9 + 0.2 * draw())))
  const spend = rounded(base * (0.85 + 0.3 * draw()), 2)
  const impressions = step((spend / CPM) * 1_000)
  const linkClicks = step(impressions * RATES.linkClicks)
  const contentViews = step(linkClicks * RATES.contentViews)
  const addToCart = step(contentViews * RATES.addToCart)
  const checkoutInitiated = step(addToCart * RATES.checkoutInitiated)
  const purchases = step(checkoutInitiated * RATES.purchases)
  const purchaseValue = rounded(purchases * (ORDER_VALUE.from + ORDER_VALUE.spread * draw()), 2)
  return {
    spendMicros: microsOfCents(spend),
    impressions,
    linkClicks,
    contentViews,
    addToCart,
    checkoutInitiated,
    purchases,
    purchaseValueMicros: microsOfCents(purchaseValue),
  }
}

const microsOfCents = (amount: number): bigint => BigInt(Math.round(amount * 100)) * 10_000n

/** The first four bytes of the hash, big-endian. */
const seedOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE()

function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
