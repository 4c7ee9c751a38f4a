import { describe, expect, test } from 'vitest'
import { type CampaignToday, judgeCampaign, judgeSync } from './alert.ts'

const today = (fields: Partial<CampaignToday> = {}): CampaignToday => ({
  currency: 'EUR',
  budgetMicros: 100_000_000n,
  spentMicros: 50_000_000n,
  dayShare: 0.5,
  impressions: 0,
  clicks: 0,
  weekImpressions: 0,
  weekClicks: 0,
  ...fields,
})
const kinds = (fields: Partial<CampaignToday>) =>
  judgeCampaign(today(fields)).map(({ kind }) => kind)

describe('alerts of a campaign', () => {
  test('spend below half of a straight line is under-delivery, but not in the first quarter of the day', () => {
    expect(kinds({ spentMicros: 25_000_000n })).toEqual([])
    expect(kinds({ spentMicros: 24_999_999n })).toEqual(['under-delivery'])
    expect(kinds({ spentMicros: 0n, dayShare: 0.24 })).toEqual([])
    expect(kinds({ spentMicros: 0n, budgetMicros: undefined })).toEqual([])
  })

  test('a budget spent before three quarters of the day is spent early', () => {
    expect(kinds({ spentMicros: 99_000_000n })).toEqual(['exhausted-early'])
    expect(kinds({ spentMicros: 100_000_000n, dayShare: 0.75 })).toEqual([])
  })

  test('clicks that fall below half of the previous week are a collapse, if there are enough impressions', () => {
    const week = { weekImpressions: 5_000, weekClicks: 100, impressions: 1_000 }
    expect(kinds({ ...week, clicks: 10 })).toEqual([])
    expect(kinds({ ...week, clicks: 9 })).toEqual(['ctr-collapse'])
    expect(kinds({ ...week, clicks: 9, impressions: 999 })).toEqual([])
    expect(kinds({ ...week, clicks: 0, weekImpressions: 4_999 })).toEqual([])
  })

  test('the reason says in words what is wrong', () => {
    const [alarm] = judgeCampaign(today({ spentMicros: 10_000_000n }))
    expect(alarm!.reason).toBe(
      'Only 10.00 EUR of 100.00 EUR is spent (10 %) after 50 % of the day.',
    )
  })
})

test('a sync that fails for 15 minutes is an alert, with the platform’s message', () => {
  const now = new Date('2026-06-15T12:00:00Z')
  const since = (minutes: number) => ({
    failingSince: new Date(now.getTime() - minutes * 60_000),
    failure: 'The access token has expired',
  })

  expect(judgeSync(since(14), now)).toEqual([])
  expect(judgeSync({ failingSince: undefined, failure: '' }, now)).toEqual([])
  expect(judgeSync(since(20), now)).toEqual([
    { kind: 'sync-failing', reason: 'No figures for 20 minutes: The access token has expired' },
  ])
})
