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

describe('moves of a campaign', () => {
  test('a person may make these moves, and no other', () => {
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

  test('a campaign that never ran ends only by its own schedule', () => {
    expect(judgeMove(flying('scheduled'), move('ended', 'person'))).toBe('not-from-here')
    expect(judgeMove(flying('scheduled'), move('ended', 'schedule'))).toBe('allowed')
  })

  test('a scheduled campaign starts in the future', () => {
    expect(judgeMove(flying('draft'), move('scheduled'))).toBe('needs-future-start')
    expect(judgeMove(flying('draft', { startsAt: now }), move('scheduled'))).toBe(
      'needs-future-start',
    )
    expect(judgeMove(flying('paused', { startsAt: past }), move('scheduled'))).toBe(
      'needs-future-start',
    )
    expect(judgeMove(flying('draft', { startsAt: future }), move('scheduled'))).toBe('allowed')
  })

  test('a campaign whose end has passed cannot be activated', () => {
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

  test('no move keeps a campaign’s state, leaves a final state, or runs a campaign without dates', () => {
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

  test('a campaign may go wherever its dates take it', () => {
    fc.assert(
      fc.property(anyCampaign, (campaign) => {
        const to = dueState(campaign, now)
        expect(to ? judgeMove(campaign, move(to, 'schedule')) : 'allowed').toBe('allowed')
      }),
    )
  })
})

test('a campaign without a start date starts now, a set start date stays', () => {
  expect(moved(flying('draft'), move('active'))).toEqual({ status: 'active', startsAt: now })
  expect(moved(flying('draft', { startsAt: past }), move('active'))).toEqual({ status: 'active' })
  expect(moved(flying('active'), move('paused'))).toEqual({ status: 'paused' })
})

test('a scheduled campaign starts on time, and an open one ends on time', () => {
  expect(dueState(flying('scheduled', { startsAt: now }), now)).toBe('active')
  expect(dueState(flying('scheduled', { startsAt: future }), now)).toBeUndefined()
  expect(dueState(flying('paused', { endsAt: past }), now)).toBe('ended')
  expect(dueState(flying('scheduled', { startsAt: past, endsAt: past }), now)).toBe('ended')
  expect(dueState(flying('active', { endsAt: now }), now)).toBe('ended')
  expect(dueState(flying('active', { endsAt: future }), now)).toBeUndefined()
  expect(dueState(flying('draft', { startsAt: past, endsAt: past }), now)).toBeUndefined()
})

test('a started campaign ends when its impressions, clicks or money are used up', () => {
  const cappedOut = (status: CampaignState) => ({ ...flying(status), isCappedOut: true })

  expect(STATES.filter((status) => dueState(cappedOut(status), now) === 'ended')).toEqual([
    'active',
    'paused',
  ])
})

test('only a campaign that does not run and will not run again may be deleted', () => {
  expect(STATES.filter((status) => mayDelete({ status }))).toEqual(['draft', 'ended', 'cancelled'])
})

test('a campaign ends after it starts, and a scheduled one has a start', () => {
  expect(judgeFlight(flying('draft', { startsAt: now, endsAt: now }))).toBe('ends-before-it-starts')
  expect(judgeFlight(flying('draft', { startsAt: now, endsAt: future }))).toBe('in-order')
  expect(judgeFlight(flying('draft', { endsAt: past }))).toBe('in-order')
  expect(judgeFlight(flying('scheduled'))).toBe('scheduled-without-start')
})

test('an ad bids up to the maximum, unless none is set or the campaign may exceed it', () => {
  const limit = { maxBidMicros: micros(100n), mayExceedMaxBid: false }

  expect(judgeBid(micros(100n), limit)).toBe('within')
  expect(judgeBid(micros(101n), limit)).toBe('above-maximum')
  expect(judgeBid(micros(101n), { ...limit, mayExceedMaxBid: true })).toBe('within')
  expect(judgeBid(micros(101n), { ...limit, maxBidMicros: micros(0n) })).toBe('within')
})

test('a campaign that runs here for others needs a maximum bid; house campaigns and other channels need none', () => {
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
