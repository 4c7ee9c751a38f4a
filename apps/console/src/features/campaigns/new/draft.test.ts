import { expect, test } from 'vitest'
import { checkDraft, EMPTY_DRAFT, estimateDay } from './draft.ts'

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

test('a target cost per purchase is checked where clicks are paid for, and only there', () => {
  const textsOf = (part: object) =>
    checkDraft({ ...EMPTY_DRAFT, ...part }, { banners: [], placements: [], currency: 'EUR' })
      .map(({ text }) => text)
      .filter((text) => /purchase/.test(text))

  expect(textsOf({ targetCpa: '12' })).toEqual(['A purchase may cost €12.00 on average.'])
  expect(textsOf({ targetCpa: 'twelve' })).toEqual([
    'The target cost per purchase is not an amount.',
  ])
  expect(textsOf({ targetCpa: '' })).toEqual([])
  expect(textsOf({ targetCpa: '12', pricing: 'cpm' })).toEqual([])
})

test('a budget for clicks buys clicks', () => {
  const draft = { budgetDaily: '10', bid: '0.5', pricing: 'cpc' as const }

  expect(estimateDay(draft, { impressionsPerDay: 1e6, ctr: 0.01 })).toMatchObject({ clicks: 20 })
  expect(estimateDay({ ...draft, bid: '' }, undefined)).toBeUndefined()
})

test('the checks name everything that keeps a campaign from showing', () => {
  const draft = { ...EMPTY_DRAFT, name: 'Autumn', pricing: 'cpm' as const, bid: '1' }
  const placement = {
    label: 'Home',
    floorMicros: '2000000',
    currency: 'EUR',
    mode: 'auction' as const,
  }

  const nothing = checkDraft(draft, { banners: [], placements: [], currency: 'EUR' })
  const low = checkDraft(draft, {
    banners: [{ title: 'Boots', isActive: true, ctaUrl: 'https://shop.example' }],
    placements: [placement],
    currency: 'EUR',
  })

  expect(nothing.filter(({ isGood }) => !isGood).map(({ text }) => text)).toEqual([
    'No banner is chosen.',
    'No placement is chosen: the campaign will not deliver until one is added.',
  ])
  expect(low.filter(({ isGood }) => !isGood).map(({ text }) => text)).toEqual([
    'The bid is below the floor price of Home: it cannot win there.',
  ])
})
