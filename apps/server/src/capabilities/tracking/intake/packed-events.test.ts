import { expect, test } from 'vitest'
import { eventIdOf, type TrackedEvent } from './event.ts'
import { packEvents, unpackEvents } from './packed-events.ts'

const decisionId = '01920000-0000-7000-8000-000000000001'
const full: Required<TrackedEvent> = {
  kind: 'click',
  eventId: eventIdOf(decisionId, 'click', 0),
  seenKey: 'key',
  decisionId,
  decisionDay: 20_000,
  budgetDay: 20_001,
  position: 0,
  source: 'ad',
  winnerKey: 1,
  bannerKey: 2,
  campaignKey: 3,
  advertiserKey: 4,
  placementKey: 5,
  siteKey: 6,
  userKey: 'user \u0000 "quoted" \\ ü',
  sessionId: 'session',
  deviceType: 'mobile',
  countryCode: 'DE',
  pageUrl: 'https://news.example/',
  pageKey: '00ff00ff00ff00ff',
  isUnvouched: true,
  otherUrl: 'https://shop.example/',
  occurredAtMs: 1_700_000_000_000,
  receivedAtMs: 1_700_000_000_001,
  clock: 'on-time',
  label: 'valid',
  pricing: 'cpc',
  chargeMicros: 250_000,
  reservationId: 'r-1',
  holdId: 'h-1',
  name: 'midpoint',
}

test('unpacked events equal the packed ones, whatever characters their texts contain', () => {
  const { userKey: _, seenKey: __, ...bare } = full

  expect(unpackEvents(packEvents([full, bare]))).toEqual([full, bare])
})

test('rows of another release are read by field name, and unknown fields are dropped', () => {
  const text = JSON.stringify({ fields: ['eventId', 'novelty'], rows: [['a', 7]] })

  expect(unpackEvents(text)).toEqual([{ eventId: 'a' }])
})
