import { expect, test } from 'vitest'
import type { BudgetPacer } from '../../api/types.ts'
import { pacedCampaigns, paceVerdict, plannedShare } from './pacing.ts'

const pacer = (given: Partial<BudgetPacer> = {}): BudgetPacer => ({
  id: 'p1',
  campaignId: 'c1',
  campaignName: 'Autumn',
  campaignStatus: 'active',
  currency: 'EUR',
  day: '2026-06-15',
  dailyBudget: '100',
  dailyBudgetMicros: '100000000',
  spentToday: '50',
  spentTodayMicros: '50000000',
  plannedMicros: '50000000',
  remainingBudget: '50',
  remainingBudgetMicros: '50000000',
  leased: '0',
  leasedMicros: '0',
  utilization: 50,
  strategy: 'Smooth',
  version: 1,
  updatedAt: '2026-06-15T12:00:00Z',
  ...given,
})
const spent = (euros: number, given: Partial<BudgetPacer> = {}) =>
  pacer({ spentTodayMicros: String(euros * 1_000_000), ...given })

test.each([
  ['Behind plan', 'bad', 34],
  ['On plan', 'good', 36],
  ['On plan', 'good', 54],
  ['Ahead of plan', 'warn', 56],
  ['Budget used up', 'warn', 100],
])(
  'pacing reads "%s" in the tone %s at %d of 100 spent when 50 are planned',
  (text, tone, euros) => {
    expect(paceVerdict(spent(euros))).toEqual({ text, tone })
  },
)

test('a campaign that spends as fast as possible has no plan to be behind of', () => {
  const fast = spent(1, { strategy: 'Accelerated' })

  expect(paceVerdict(fast).text).toBe('As fast as possible')
  expect(plannedShare(fast)).toBeUndefined()
  expect(plannedShare(spent(1))).toBe(0.5)
})

test('the pacing list has running campaigns with a daily budget, furthest behind first', () => {
  const listed = pacedCampaigns([
    spent(50, { campaignName: 'On plan' }),
    spent(10, { campaignName: 'Behind' }),
    spent(51, { campaignName: 'Nearly on plan' }),
    pacer({ campaignName: 'Paused', campaignStatus: 'paused' }),
    pacer({ campaignName: 'No budget', dailyBudgetMicros: null }),
  ])

  expect(listed.map(({ campaignName }) => campaignName)).toEqual([
    'Behind',
    'Nearly on plan',
    'On plan',
  ])
})
