import { expect, test } from 'vitest'
import type { BookingFault } from '../../../api/types.ts'
import {
  blocking,
  bookingOf,
  draftFrom,
  EMPTY_DRAFT,
  estimateDay,
  formOf,
  mendOf,
  typingFaults,
} from './draft.ts'

const fault = (path: string, more: Partial<BookingFault> = {}): BookingFault => ({
  path,
  code: 'X',
  message: 'x',
  severity: 'refused',
  mend: null,
  ...more,
})

test('the estimate of a day is limited by the budget or by the placements', () => {
  const draft = { budgetDaily: '50', bid: '5', pricing: 'cpm' as const }

  expect(estimateDay(draft, undefined)).toEqual({
    impressions: 10_000,
    clicks: 200,
    boundBy: 'budget',
  })
  expect(estimateDay(draft, { impressionsPerDay: 1_000, ctr: 0.05 })).toEqual({
    impressions: 1_000,
    clicks: 50,
    boundBy: 'supply',
  })
})

test('a budget for clicks buys clicks', () => {
  const draft = { budgetDaily: '10', bid: '0.5', pricing: 'cpc' as const }

  expect(estimateDay(draft, { impressionsPerDay: 1e6, ctr: 0.01 })).toMatchObject({ clicks: 20 })
  expect(estimateDay({ ...draft, bid: '' }, undefined)).toBeUndefined()
})

test('a draft comes back from the server as it was typed, also what is not valid yet', () => {
  const draft = { ...EMPTY_DRAFT, name: 'Win', bid: '12.', bannerIds: ['a'], capTimes: '' }

  expect(draftFrom(formOf(draft, 'budget'))).toEqual(draft)
})

test('a booking has what can be read, in the advertiser’s zone and with seconds', () => {
  const booking = bookingOf(
    {
      ...EMPTY_DRAFT,
      name: ' Autumn ',
      bid: '12.',
      budgetTotal: '1000',
      impressionGoal: '5000',
      startsAt: '2030-07-01T09:00:30',
      bannerIds: ['b'],
      placementIds: ['p', 'd'],
    },
    {
      zone: 'Europe/Berlin',
      direct: new Set(['d']),
      banners: [{ id: 'b', title: 'Boots' }],
    },
  )

  expect(booking).toMatchObject({
    campaign: {
      name: 'Autumn',
      maxBidMicros: '0',
      budgetTotalMicros: '1000000000',
      impressionCap: 5_000,
      clickCap: null,
      startsAt: '2030-07-01T07:00:30.000Z',
    },
    frequencyCaps: [{ maxImpressionsPerUser: 4, window: 'Day' }],
    ads: [{ bannerId: 'b', name: 'Boots' }],
    placements: [{ placementId: 'p' }, { placementId: 'd', bannerIds: ['b'] }],
  })
  expect(booking.campaign).not.toHaveProperty('advertiserId')
})

test('text that is no amount and no count is named with its field', () => {
  const draft = { ...EMPTY_DRAFT, bid: '12.', clickGoal: '1e9', capTimes: '0' }

  expect(typingFaults(draft).map(({ path }) => path)).toEqual([
    'campaign/maxBidMicros',
    'campaign/clickCap',
    'frequencyCaps/0',
  ])
  expect(typingFaults(EMPTY_DRAFT)).toEqual([])
})

test('a target cost per purchase is asked where clicks are paid for, and only there', () => {
  const world = { zone: 'UTC', direct: new Set<string>(), banners: [] }
  const targetOf = (part: object) =>
    bookingOf({ ...EMPTY_DRAFT, ...part }, world).campaign.targetCpaMicros
  const faultsOf = (part: object) =>
    typingFaults({ ...EMPTY_DRAFT, ...part }).map(({ path }) => path)

  expect(targetOf({ targetCpa: '12' })).toBe('12000000')
  expect(targetOf({ targetCpa: '12', pricing: 'cpm' })).toBeNull()
  expect(faultsOf({ targetCpa: 'twelve' })).toEqual(['campaign/targetCpaMicros'])
  expect(faultsOf({ targetCpa: 'twelve', pricing: 'cpm' })).toEqual([])
})

test('a step is blocked by what is wrong in it and before it, but not by what only waits', () => {
  const faults = [
    fault('campaign/name'),
    fault('campaign/endsAt'),
    fault('placements/0', { severity: 'stuck' }),
    fault('placements/1', { severity: 'waits' }),
    fault('ads/0', { severity: 'advice' }),
  ]
  const paths = (step: Parameters<typeof blocking>[1]) =>
    blocking(faults, step).map(({ path }) => path)

  expect(paths('goal')).toEqual(['campaign/name'])
  expect(paths('creative')).toEqual(['campaign/name', 'campaign/endsAt'])
  expect(paths('review')).toEqual(['campaign/name', 'campaign/endsAt', 'placements/0'])
})

test('a mend raises the bid, or takes the placement or the creative away', () => {
  const draft = { ...EMPTY_DRAFT, bannerIds: ['a', 'b'], placementIds: ['p', 'q'] }
  const mend = (path: string, value: string | null) =>
    mendOf(draft, fault('x', { mend: { path, value } }))

  expect(mend('campaign/maxBidMicros', '3500000')).toEqual({ bid: '3.5' })
  expect(mend('placements/0', null)).toEqual({ placementIds: ['q'] })
  expect(mend('ads/1', null)).toEqual({ bannerIds: ['a'] })
  expect(mendOf(draft, fault('x'))).toBeUndefined()
})
