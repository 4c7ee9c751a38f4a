import { micros } from '@placard/money'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  dueState,
  judgeBid,
  judgeFlight,
  judgeMove,
  mayDelete,
  moved,
  needsMaxBid,
  type CampaignState,
  type FlyingCampaign,
} from './campaign.ts'

const now = new Date('2026-06-15T12:00:00Z')
const past = new Date('2026-06-15T11:59:59.999Z')
const future = new Date('2026-06-15T12:00:00.001Z')
const STATES: CampaignState[] = ['draft', 'scheduled', 'active', 'paused', 'ended', 'cancelled']

const flying = (status: CampaignState, flight: Partial<FlyingCampaign> = {}): FlyingCampaign => ({
  status,
  startsAt: null,
  endsAt: null,
  ...flight,
})
const move = (to: CampaignState, by: 'person' | 'schedule' = 'person') => ({ to, now, by })

describe('judgeMove', () => {
  test('a person may go these ways, and no other', () => {
    const ways = STATES.map((from) => [
      from,
      STATES.filter((to) => judgeMove(flying(from, { startsAt: future }), move(to)) === 'allowed'),
    ])

    expect(Object.fromEntries(ways)).toEqual({
      draft: ['scheduled', 'active', 'cancelled'],
      scheduled: ['draft', 'active', 'cancelled'],
      active: ['paused', 'ended', 'cancelled'],
      paused: ['scheduled', 'active', 'ended', 'cancelled'],
      ended: [],
      cancelled: [],
    })
  })

  test('only its own schedule ends a campaign that never ran', () => {
    expect(judgeMove(flying('scheduled'), move('ended', 'person'))).toBe('not-from-here')
    expect(judgeMove(flying('scheduled'), move('ended', 'schedule'))).toBe('allowed')
  })

  test('what is scheduled starts in the future', () => {
    expect(judgeMove(flying('draft'), move('scheduled'))).toBe('needs-future-start')
    expect(judgeMove(flying('draft', { startsAt: now }), move('scheduled'))).toBe(
      'needs-future-start',
    )
    expect(judgeMove(flying('paused', { startsAt: past }), move('scheduled'))).toBe(
      'needs-future-start',
    )
    expect(judgeMove(flying('draft', { startsAt: future }), move('scheduled'))).toBe('allowed')
  })

  test('what is over cannot be activated', () => {
    expect(judgeMove(flying('paused', { endsAt: now }), move('active'))).toBe('already-over')
    expect(judgeMove(flying('paused', { endsAt: future }), move('active'))).toBe('allowed')
    expect(judgeMove(flying('paused'), move('active'))).toBe('allowed')
  })

  const anyDate = fc.option(fc.constantFrom(past, now, future))
  const anyCampaign = fc.record({
    status: fc.constantFrom(...STATES),
    startsAt: anyDate,
    endsAt: anyDate,
  })
  const anyMoves = fc.array(fc.constantFrom(...STATES), { maxLength: 12 })

  test('however people try, nothing stays where it is, comes back from the end, or runs undated', () => {
    fc.assert(
      fc.property(anyCampaign, anyMoves, (start, tries) => {
        let campaign: FlyingCampaign = start
        for (const to of tries) {
          if (judgeMove(campaign, move(to)) !== 'allowed') continue
          expect(to).not.toBe(campaign.status)
          expect(['ended', 'cancelled']).not.toContain(campaign.status)
          campaign = { ...campaign, ...moved(campaign, move(to)) }
          expect(campaign.status === 'active' && !campaign.startsAt).toBe(false)
        }
      }),
    )
  })

  test('where its dates take a campaign, it may go', () => {
    fc.assert(
      fc.property(anyCampaign, (campaign) => {
        const to = dueState(campaign, now)
        expect(to ? judgeMove(campaign, move(to, 'schedule')) : 'allowed').toBe('allowed')
      }),
    )
  })
})

test('whoever starts without a date starts now; a date that is set stays', () => {
  expect(moved(flying('draft'), move('active'))).toEqual({ status: 'active', startsAt: now })
  expect(moved(flying('draft', { startsAt: past }), move('active'))).toEqual({ status: 'active' })
  expect(moved(flying('active'), move('paused'))).toEqual({ status: 'paused' })
})

test('a scheduled campaign starts on time, and whatever is open ends on time', () => {
  expect(dueState(flying('scheduled', { startsAt: now }), now)).toBe('active')
  expect(dueState(flying('scheduled', { startsAt: future }), now)).toBeUndefined()
  expect(dueState(flying('paused', { endsAt: past }), now)).toBe('ended')
  expect(dueState(flying('scheduled', { startsAt: past, endsAt: past }), now)).toBe('ended')
  expect(dueState(flying('active', { endsAt: now }), now)).toBe('ended')
  expect(dueState(flying('active', { endsAt: future }), now)).toBeUndefined()
  expect(dueState(flying('draft', { startsAt: past, endsAt: past }), now)).toBeUndefined()
})

test('what has used up its impressions, clicks or money ends, once it has started', () => {
  const cappedOut = (status: CampaignState) => ({ ...flying(status), isCappedOut: true })

  expect(STATES.filter((status) => dueState(cappedOut(status), now) === 'ended')).toEqual([
    'active',
    'paused',
  ])
})

test('only what does not run, and will not run again, may be deleted', () => {
  expect(STATES.filter((status) => mayDelete({ status }))).toEqual(['draft', 'ended', 'cancelled'])
})

test('a campaign ends after it starts, and a scheduled one has a start', () => {
  expect(judgeFlight(flying('draft', { startsAt: now, endsAt: now }))).toBe('ends-before-it-starts')
  expect(judgeFlight(flying('draft', { startsAt: now, endsAt: future }))).toBe('in-order')
  expect(judgeFlight(flying('draft', { endsAt: past }))).toBe('in-order')
  expect(judgeFlight(flying('scheduled'))).toBe('scheduled-without-start')
})

test('an ad bids up to the maximum, unless none is set or the campaign opted out of it', () => {
  const limit = { maxBidMicros: micros(100n), mayExceedMaxBid: false }

  expect(judgeBid(micros(100n), limit)).toBe('within')
  expect(judgeBid(micros(101n), limit)).toBe('above-maximum')
  expect(judgeBid(micros(101n), { ...limit, mayExceedMaxBid: true })).toBe('within')
  expect(judgeBid(micros(101n), { ...limit, maxBidMicros: micros(0n) })).toBe('within')
})

test('what runs here for others, or will, needs a maximum bid; the house and other channels need none', () => {
  const bare = { maxBidMicros: micros(0n), mayExceedMaxBid: true, channel: 'onsite' } as const
  const needing = (source: 'internal' | 'sponsored') =>
    STATES.filter((status) => needsMaxBid({ ...bare, source, status }))

  expect(needing('sponsored')).toEqual(['scheduled', 'active'])
  expect(needing('internal')).toEqual([])
  expect(
    needsMaxBid({ ...bare, maxBidMicros: micros(1n), source: 'sponsored', status: 'active' }),
  ).toBe(false)
  const elsewhere = { ...bare, channel: 'meta', source: 'sponsored', status: 'active' } as const
  expect(needsMaxBid(elsewhere)).toBe(false)
})
