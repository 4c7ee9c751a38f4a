import { describe, expect, test } from 'vitest'
import { fixedClock, seededChance } from '../../testing/fixed.ts'
import { idsFrom } from '../../platform/ids.ts'
import { daysOfDecision, daysToPrepare, oldestDayKept } from './auction-day.ts'
import { judgeFault } from './record-fault.ts'
import { RecordQueue } from './record-queue.ts'
import { aDecision, aWinner, recordsFrom } from './record-testing.ts'
import { type AuctionRow, packRecord, unpackBids, unpackWinners } from './record.ts'
import { averageEcpmMicros, bucketEnd, bucketStart, winRate } from './statistics.ts'

const aRecord = recordsFrom(idsFrom({ clock: fixedClock(), chance: seededChance() }))
const packed = (...args: Parameters<typeof aRecord>) =>
  JSON.parse(packRecord(aRecord(...args))) as AuctionRow

describe('a packed record', () => {
  test('says again what was decided', () => {
    const winners = [aWinner(), aWinner({ source: 'booking', campaignKey: 99, score: 0 })]
    const row = packed({ decision: aDecision({ winners }) })

    expect(unpackWinners(row.winners)).toEqual(winners)
    expect(unpackBids(row.bids)).toEqual([
      { adKey: 11, campaignKey: 13, score: 10_000, ctr: 0.02 },
      { adKey: 21, campaignKey: 23, score: 8_000.123, ctr: 0.012_346 },
    ])
  })

  test('has the price of the auction, also where a booking stands before it', () => {
    const booking = aWinner({ source: 'booking', key: 5, campaignKey: 6, score: 0 })
    const row = packed({ decision: aDecision({ winners: [booking, aWinner({ score: 12.5 })] }) })

    expect(row).toMatchObject({ ad: 11, campaign: 13, price: 10_000, ecpm: 13 })
  })

  test('of a booking alone has a campaign, and neither an ad nor a price', () => {
    const booking = aWinner({ source: 'booking', key: 5, campaignKey: 6, score: 0 })
    const row = packed({ decision: aDecision({ winners: [booking] }) })

    expect(row.campaign).toBe(6)
    expect(row).not.toHaveProperty('ad')
    expect(row).not.toHaveProperty('ecpm')
  })

  test('holds no character that PostgreSQL would refuse, and keeps all others', () => {
    const language = String.raw`a\u0000 \\ "` + '\u0000\ud800 ü \u{1F600}'
    const row = packed({ context: { language } })

    expect(row.context.language).toBe(String.raw`a\u0000 \\ "` + '\ufffd\ufffd ü \u{1F600}')
  })

  test('cuts a type that is too long', () => {
    expect(packed({ placementType: 'x'.repeat(90) }).type).toHaveLength(50)
  })
})

describe('days', () => {
  test('are prepared from yesterday to three days ahead', () => {
    expect(daysToPrepare(new Date('2026-02-28T23:59:59.999Z'))).toEqual([
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
      '2026-03-02',
      '2026-03-03',
    ])
  })

  test('are kept as long as the setting says, beside today', () => {
    expect(oldestDayKept(new Date('2026-06-15T00:00:00Z'), 30)).toBe('2026-05-16')
  })

  test('of a decision follow from its id', () => {
    const id = idsFrom({ clock: fixedClock('2026-06-15T23:59:59.999Z'), chance: seededChance() })

    expect(daysOfDecision(id.next())).toEqual(['2026-06-14', '2026-06-15', '2026-06-16'])
  })
})

describe('a fault of writing', () => {
  test.each([
    ['row', { code: '22P05' }],
    ['row', { code: '23514', message: 'new row violates check constraint' }],
    ['row', { cause: { code: '23502' } }],
    [
      'no-partition',
      { code: '23514', message: 'no partition of relation "auctions" found for row' },
    ],
    ['passing', { code: '57P01' }],
    ['passing', { code: '40P01' }],
    ['passing', { code: 'ECONNREFUSED' }],
    ['passing', new Error('Connection terminated unexpectedly')],
    ['passing', { message: 'Failed query', cause: { code: 'ECONNRESET' } }],
  ])('is %s: %o', (fault, error) => {
    expect(judgeFault(error)).toBe(fault)
  })
})

describe('the queue of records', () => {
  test('gives them back in batches, oldest first', () => {
    const queue = new RecordQueue({ batchMax: 2, charactersMax: 100 })
    for (const row of ['a', 'b', 'c']) queue.push(row)

    expect(queue.hasFullBatch).toBe(true)
    expect([queue.take(), queue.hasFullBatch, queue.take(), queue.take()]).toEqual([
      ['a', 'b'],
      false,
      ['c'],
      [],
    ])
  })

  test('gives up the oldest batch when it weighs too much', () => {
    const queue = new RecordQueue({ batchMax: 2, charactersMax: 10 })

    const dropped = ['aaa', 'bbb', 'ccc', 'ddd', 'e'].map((row) => queue.push(row))

    expect(dropped).toEqual([0, 0, 0, 2, 0])
    expect([queue.size, queue.take(), queue.take(), queue.size]).toEqual([
      3,
      ['ccc', 'ddd'],
      ['e'],
      0,
    ])
  })
})

describe('statistics', () => {
  test('of nothing have no mean', () => {
    expect(winRate({ auctions: 0, won: 0 })).toBe(0)
    expect(averageEcpmMicros({ priced: 0, winningEcpmMicros: 0n })).toBeUndefined()
  })

  test('round the mean half up', () => {
    expect(averageEcpmMicros({ priced: 2, winningEcpmMicros: 5n })).toBe(3n)
    expect(averageEcpmMicros({ priced: 3, winningEcpmMicros: 4n })).toBe(1n)
    expect(winRate({ auctions: 8, won: 3 })).toBe(37.5)
  })

  test('know quarters of an hour: a range is widened to those it touches', () => {
    expect(bucketStart(new Date('2026-06-15T12:14:59Z')).toISOString()).toContain('12:00:00')
    expect(bucketEnd(new Date('2026-06-15T12:15:00Z')).toISOString()).toContain('12:30:00')
  })
})
