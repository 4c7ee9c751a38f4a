import { expect, test } from 'vitest'
import { changeOf, nameIn, questionOf, readQuestion, writeQuestion } from './question.ts'

const CAMPAIGN = '01890000-0000-7000-8000-000000000001'

test('without parameters, the report is the campaigns of a week', () => {
  expect(questionOf(readQuestion({}), 'Europe/Berlin')).toMatchObject({
    dimensions: ['campaign'],
    period: 'today-and-6-days',
    timeZone: 'Europe/Berlin',
    sort: [{ by: 'impressions', direction: 'desc' }],
  })
})

test('rows by time are in order of time, and a repeated dimension counts once', () => {
  expect(questionOf(readQuestion({ by: 'day,device,day' }), 'UTC')).toMatchObject({
    dimensions: ['day', 'device'],
    sort: [{ by: 'day', direction: 'asc' }],
  })
})

test('the address has metrics, days and filters, and the settings give the same address again', () => {
  const params = {
    by: 'campaign,country',
    show: 'clicks,cpc',
    picture: 'cpc',
    period: 'custom',
    from: '2026-06-01',
    to: '2026-06-15',
    compare: 'yes',
    campaignId: CAMPAIGN,
    country: 'DE,FR',
  }

  expect(questionOf(readQuestion(params), 'UTC')).toMatchObject({
    metrics: ['clicks', 'cpc'],
    from: '2026-06-01',
    to: '2026-06-15',
    filters: { campaignId: [CAMPAIGN], country: ['DE', 'FR'] },
    sort: [{ by: 'cpc', direction: 'desc' }],
  })
  expect(writeQuestion(readQuestion(params))).toMatchObject(params)
})

test('all channels are requested by name, and UTC days if chosen', () => {
  const question = readQuestion({ channels: 'all', days: 'utc' })

  expect(questionOf(question, 'Europe/Berlin')).toMatchObject({
    filters: { channel: ['onsite', 'meta'] },
    timeZone: 'UTC',
  })
})

test('a chart of a metric that is not in the report shows its first metric', () => {
  expect(readQuestion({ show: 'clicks', picture: 'roas' }).picture).toBe('clicks')
})

test('a row has the name of its thing, or says that it has none', () => {
  expect(nameIn({ currency: 'EUR', campaignName: 'Autumn' }, 'campaign')).toBe('Autumn')
  expect(nameIn({ currency: 'EUR', country: 'DE' }, 'country')).toBe('Germany')
  expect(nameIn({ currency: 'EUR', country: null }, 'country')).toBe('Unknown')
  expect(nameIn({ currency: 'EUR', channel: 'onsite' }, 'channel')).toBe('Own sites')
  expect(nameIn({ currency: 'EUR', campaignName: null }, 'campaign')).toBe('No campaign')
})

test('a change is shown if there is a previous value', () => {
  const row = { currency: 'EUR', clicks: 15, previous: { clicks: 10 } }

  expect(changeOf(row, 'clicks')).toBeCloseTo(0.5)
  expect(changeOf({ ...row, previous: null }, 'clicks')).toBeUndefined()
})
