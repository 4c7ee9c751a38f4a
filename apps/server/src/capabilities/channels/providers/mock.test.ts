import { describe, expect, test } from 'vitest'
import { baseSpend, mockProvider } from './mock.ts'
import type { EntityBudget, Level, StatRequest } from './stat.ts'

const ADVERTISER = '0190a000-0000-7000-8000-000000000001'
const CAMPAIGN = '0190a000-0000-7000-8000-0000000000c1'
const fetchedAt = new Date('2026-02-19T10:00:00Z')

const daily = (units: bigint, parts = {}): EntityBudget => ({
  dailyMicros: units * 1_000_000n,
  totalMicros: undefined,
  adSets: 0,
  ads: 0,
  ...parts,
})

function fetch(id: string, budget: EntityBudget, fields: Partial<StatRequest> = {}) {
  return mockProvider.fetchStats({
    advertiserId: ADVERTISER,
    level: 'CAMPAIGN',
    entities: [{ id, externalId: undefined, budget }],
    from: '2026-02-19',
    to: '2026-02-19',
    fetchedAt,
    account: { externalId: undefined, credentials: undefined, currency: 'EUR' },
    signal: new AbortController().signal,
    ...fields,
  })
}

test('a day is drawn from SHA-256, mulberry32 and eight draws in their order', async () => {
  const { rows } = await fetch(CAMPAIGN, daily(1_000n))

  expect(rows).toEqual([
    {
      advertiserId: ADVERTISER,
      entityType: 'CAMPAIGN',
      entityId: CAMPAIGN,
      externalEntityId: CAMPAIGN,
      fetchedAt,
      dateStart: '2026-02-19',
      dateStop: '2026-02-19',
      spendMicros: 1_052_630_000n,
      impressions: 125_804,
      linkClicks: 2_378,
      contentViews: 1_740,
      addToCart: 199,
      checkoutInitiated: 104,
      purchases: 41,
      purchaseValueMicros: 3_111_250_000n,
      cpm: 8.3672,
      ctr: 0.0189,
      cpc: 0.4427,
      costPerPurchase: 25.67,
      roas: 2.9557,
    },
  ])
})

test('a lifetime budget is spread over 30 days, and parts of a campaign share its money', async () => {
  const lifetime = { ...daily(0n), dailyMicros: undefined, totalMicros: 1_000_000_000n }
  const shared = daily(1_000n, { adSets: 4, ads: 2 })
  const base = (level: Level) => baseSpend(level, shared)

  expect(baseSpend('CAMPAIGN', lifetime)).toBe(33.33)
  expect([base('CAMPAIGN'), base('ADSET'), base('AD')]).toEqual([1_000, 250, 125])
  const { rows } = await fetch('0190a000-0000-7000-8000-0000000000c2', lifetime, {
    from: '2026-02-20',
    to: '2026-02-20',
  })
  expect(rows[0]).toMatchObject({
    spendMicros: 37_560_000n,
    impressions: 4_397,
    linkClicks: 82,
    purchases: 2,
    purchaseValueMicros: 118_170_000n,
  })
})

describe('figures of the mock provider', () => {
  test('the same request gives the same figures, another day others', async () => {
    const range = { from: '2026-02-19', to: '2026-02-21' }
    const first = await fetch(CAMPAIGN, daily(50n), range)
    const again = await fetch(CAMPAIGN, daily(50n), range)

    expect(again).toEqual(first)
    expect(new Set(first.rows.map(({ spendMicros }) => spendMicros)).size).toBe(3)
  })

  test('figures stay within the allowed noise, and never fall below zero', async () => {
    const ids = Array.from({ length: 200 }, (_, i) => ({
      id: `entity ${i}`,
      externalId: `ext-${i}`,
      budget: daily(100n),
    }))
    const { rows } = await fetch('', daily(0n), { entities: ids })

    for (const row of rows) {
      expect(Number(row.spendMicros)).toBeGreaterThanOrEqual(85_000_000)
      expect(Number(row.spendMicros)).toBeLessThanOrEqual(115_000_000)
      expect(row.externalEntityId).toMatch(/^ext-/)
    }
  })

  test('without a budget all figures are zero, and so are their ratios', async () => {
    const { rows } = await fetch(CAMPAIGN, { ...daily(0n), dailyMicros: undefined })

    expect(rows[0]).toMatchObject({ spendMicros: 0n, impressions: 0, ctr: 0, cpm: 0, roas: 0 })
  })
})
