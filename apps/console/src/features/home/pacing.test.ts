import { expect, test } from 'vitest'
import { type PacedCampaign, pacedCampaigns, paceVerdict, plannedShare } from './pacing.ts'

const campaign = (given: Partial<PacedCampaign> = {}): PacedCampaign => ({
  name: 'Autumn',
  status: 'active',
  pacingStrategy: 'Smooth',
  budgetDailyMicros: '100000000',
  spentTodayMicros: '50000000',
  plannedTodayMicros: '50000000',
  ...given,
})
const spent = (euros: number, given: Partial<PacedCampaign> = {}) =>
  campaign({ spentTodayMicros: String(euros * 1_000_000), ...given })

test.each([
  ['Behind plan', 'bad', 34],
  ['On plan', 'good', 36],
  ['On plan', 'good', 54],
  ['Ahead of plan', 'warn', 56],
  ['Budget used up', 'warn', 100],
])(
  'pacing reads "%s" in the tone %s at %d of 100 spent when 50 are planned',
  (text, tone, euros) => {
    expect(paceVerdict(spent(euros))).toMatchObject({ text, tone })
  },
)

test('a campaign that spends as fast as possible has no plan to be behind of', () => {
  const fast = spent(1, { pacingStrategy: 'Accelerated' })

  expect(paceVerdict(fast).text).toBe('As fast as possible')
  expect(plannedShare(fast)).toBeUndefined()
  expect(plannedShare(spent(1))).toBe(0.5)
})

test('the pacing list has running campaigns with a daily budget, furthest behind first', () => {
  const listed = pacedCampaigns([
    spent(50, { name: 'On plan' }),
    spent(10, { name: 'Behind' }),
    spent(51, { name: 'Nearly on plan' }),
    campaign({ name: 'Paused', status: 'paused' }),
    campaign({ name: 'No budget', budgetDailyMicros: null }),
  ])

  expect(listed.map(({ name }) => name)).toEqual(['Behind', 'Nearly on plan', 'On plan'])
})
