import { expect, test } from 'vitest'
import type { Campaign } from '../../../api/types.ts'
import { changesIn, valuesOf } from './campaign-values.ts'

const ZONE = 'Europe/Berlin'
const CAMPAIGN: Campaign = {
  id: '01890000-0000-7000-8000-000000000001',
  version: 1,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  deletedAt: null,
  advertiserId: '01890000-0000-7000-8000-000000000002',
  advertiserName: 'Northwind',
  advertiserContact: null,
  currency: 'EUR',
  sellpageId: null,
  connectionId: null,
  name: 'Autumn',
  description: null,
  source: 'sponsored',
  status: 'active',
  channel: 'onsite',
  objective: 'traffic',
  pricing: 'cpm',
  maxBidMicros: '0',
  mayExceedMaxBid: false,
  targetCpaMicros: null,
  pacingStrategy: 'Smooth',
  categories: ['596'],
  runsOnUnknownPages: false,
  adProductCategory: null,
  exclusionLabels: ['cars'],
  externalId: null,
  startsAt: '2026-06-15T07:00:30.123Z',
  endsAt: null,
  budgetTotalMicros: null,
  budgetDailyMicros: '12500000',
  impressionCap: null,
  clickCap: 5,
  contractRef: null,
  placementWishes: null,
  priority: 0,
  spentTodayMicros: '0',
  spentWeekMicros: '0',
  plannedTodayMicros: null,
}

const edit = (change: Partial<ReturnType<typeof valuesOf>>) => {
  const before = valuesOf(CAMPAIGN, ZONE)
  return changesIn({ before, after: { ...before, ...change }, zone: ZONE })
}

test('an edit sends nothing that was not changed, so a date keeps its milliseconds', () => {
  expect(edit({})).toEqual({})
  expect(edit({ name: 'Winter' })).toEqual({ name: 'Winter' })
})

test('every field is sent as the API takes it, with seconds, and an empty one clears it', () => {
  expect(valuesOf(CAMPAIGN, ZONE).startsAt).toBe('2026-06-15T09:00:30')
  expect(
    edit({
      startsAt: '2026-06-15T09:00:31',
      budgetDailyMicros: '',
      budgetTotalMicros: '100',
      impressionCap: '5000',
      clickCap: '',
      maxBidMicros: '1.5',
      categories: '596,1',
      mayExceedMaxBid: 'true',
      contractRef: 'IO-1',
      exclusionLabels: 'cars, airlines ,',
    }),
  ).toEqual({
    startsAt: '2026-06-15T07:00:31.000Z',
    budgetDailyMicros: null,
    budgetTotalMicros: '100000000',
    impressionCap: 5_000,
    clickCap: null,
    maxBidMicros: '1500000',
    categories: ['596', '1'],
    mayExceedMaxBid: true,
    contractRef: 'IO-1',
    exclusionLabels: ['cars', 'airlines'],
  })
})

test('text that is no amount and no number is sent, so that the server names its fault', () => {
  expect(edit({ maxBidMicros: '1,2,3', impressionCap: 'many' })).toEqual({
    maxBidMicros: '1,2,3',
    impressionCap: 'many',
  })
})
