import { expect, test } from 'vitest'
import { changesOf, deedOf, pageOf } from './record-words.ts'

const RECORD = {
  occurredAt: '2026-06-15T08:42:00Z',
  actorKind: 'user',
  actorId: null,
  actorName: 'Ana',
  action: 'campaign.update',
  entity: 'campaign',
  entityId: '01890000-0000-7000-8000-000000000001',
  before: null,
  after: null,
  requestId: null,
}
const AUTUMN = { name: 'Autumn', currency: 'EUR', version: 1 }

test('amounts have the currency of their row, nothing is "none", and times are in the reader’s zone', () => {
  const before = { ...AUTUMN, budgetDailyMicros: '12500000', endsAt: null, isActive: true }
  const after = {
    ...AUTUMN,
    version: 2,
    budgetDailyMicros: null,
    endsAt: '2026-06-30T22:00:00.000Z',
    isActive: true,
  }

  expect(changesOf({ before, after }, 'Europe/Berlin')).toEqual([
    'Daily budget from €12.50 to none',
    'Ends from none to 1 Jul 2026, 00:00',
  ])
})

test('of a thing that is named beside its id, only the name is told', () => {
  const before = { advertiserId: 'a', advertiserName: 'Northwind' }
  const after = { advertiserId: 'b', advertiserName: 'Contoso' }

  expect(changesOf({ before, after }, 'UTC')).toEqual(['Advertiser name from Northwind to Contoso'])
})

test('a new row and a removed one have no list of changes', () => {
  expect(changesOf({ before: null, after: AUTUMN }, 'UTC')).toEqual([])
  expect(changesOf({ before: AUTUMN, after: null }, 'UTC')).toEqual([])
})

test.each([
  {
    action: 'campaign.update',
    entity: 'campaign',
    after: AUTUMN,
    words: 'changed the campaign “Autumn”',
  },
  {
    action: 'targeting-rule.create',
    entity: 'targeting rule',
    after: {},
    words: 'created the targeting rule',
  },
  { action: 'session.sign-in', entity: 'session', after: null, words: 'signed in: the session' },
  {
    action: 'user.reset-factors',
    entity: 'user',
    after: { displayName: 'Bo' },
    words: 'reset factors: the user “Bo”',
  },
])('$action reads as a sentence', ({ words, ...record }) => {
  expect(deedOf({ ...RECORD, ...record })).toBe(words)
})

test('a record leads to its thing, or to the campaign of it', () => {
  expect(pageOf({ ...RECORD })).toBe(`/campaigns/${RECORD.entityId}`)
  expect(pageOf({ ...RECORD, entity: 'ad', after: { campaignId: 'c' } })).toBe('/campaigns/c')
  expect(pageOf({ ...RECORD, entity: 'switch' })).toBeUndefined()
})
