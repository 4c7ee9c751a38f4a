import { describe, expect, test } from 'vitest'
import { fixedClock, seededRandom } from '../../../testing/fixed.ts'
import { idsFrom } from '../../../platform/ids.ts'
import { daysOfDecision, daysToPrepare, oldestDayKept } from './auction-day.ts'
import { judgeFault } from './write-fault.ts'
import { PackedBatch } from './packed-batch.ts'
import { RecordQueue } from './record-queue.ts'
import { aDecision, aWinner, batchOf, NO_AD, recordsFrom } from './testing-records.ts'
import {
  AUCTION_COLUMNS,
  type PackedBid,
  type PackedWinner,
  unpackBids,
  unpackWinners,
} from './record-line.ts'
import { averageEcpmMicros, bucketEnd, bucketStart, winRate } from './statistics.ts'

const aRecord = recordsFrom(idsFrom({ clock: fixedClock(), random: seededRandom() }))

/** The fields of a line by column name, as PostgreSQL reads them. */
function packed(...args: Parameters<typeof aRecord>): Record<string, string | null> {
  const fields = batchOf([aRecord(...args)])
    .lineAt(0)
    .slice(0, -1)
    .split('\t')
  expect(fields).toHaveLength(AUCTION_COLUMNS.length)
  return Object.fromEntries(AUCTION_COLUMNS.map((column, at) => [column, unescaped(fields[at]!)]))
}

const unescaped = (field: string) =>
  field === String.raw`\N`
    ? null
    : field.replaceAll(/\\(.)/g, (_, kind: string) => ({ t: '\t', n: '\n', r: '\r' })[kind] ?? kind)

const json = (field: string | null | undefined): unknown => JSON.parse(field!)

describe('a packed record', () => {
  test('a packed record contains what was decided', () => {
    const winners = [aWinner(), aWinner({ source: 'booking', campaignKey: 99, score: 0 })]
    const row = packed({ decision: aDecision({ winners }) })

    expect(unpackWinners(json(row['winners']) as PackedWinner[])).toEqual(
      winners.map(({ format: _format, isCapped: _isCapped, ...recorded }) => recorded),
    )
    expect(unpackBids(json(row['bids']) as PackedBid[])).toEqual([
      { adKey: 11, campaignKey: 13, score: 10_000, ctr: 0.02 },
      { adKey: 21, campaignKey: 23, score: 8_000.123, ctr: 0.012_346 },
    ])
  })

  test('a packed record has the auction’s price, also behind a booking', () => {
    const booking = aWinner({ source: 'booking', key: 5, campaignKey: 6, score: 0 })
    const row = packed({ decision: aDecision({ winners: [booking, aWinner({ score: 12.5 })] }) })

    expect(row).toMatchObject({
      winning_ad_id: '11',
      winning_campaign_id: '13',
      final_price_micros: '10000',
      winning_ecpm_micros: '13',
    })
  })

  test('a packed record of a booking alone has a campaign, and neither an ad nor a price', () => {
    const booking = aWinner({ source: 'booking', key: 5, campaignKey: 6, score: 0 })
    const row = packed({ decision: aDecision({ winners: [booking] }) })

    expect(row).toMatchObject({
      winning_campaign_id: '6',
      winning_ad_id: null,
      winning_ecpm_micros: null,
    })
  })

  test('a packed record keeps all characters but those that PostgreSQL refuses', () => {
    const language = String.raw`a\u0000 \\ "` + '\u0000\ud800 ü \u{1F600}'
    const row = packed({ context: { language }, userKey: 'a\tb\\c\nd\r\0\ud800' })

    expect(row['user_key']).toBe('a\tb\\c\nd\r\ufffd\ufffd')
    expect((json(row['context']) as { language: string }).language).toBe(
      String.raw`a\u0000 \\ "` + '\ufffd\ufffd ü \u{1F600}',
    )
  })

  test('a packed record cuts a type that is too long', () => {
    expect(packed({ placementType: 'x'.repeat(90) })['placement_type']).toHaveLength(50)
  })
})

describe('days', () => {
  test('partitions are prepared from yesterday to three days ahead', () => {
    expect(daysToPrepare(new Date('2026-02-28T23:59:59.999Z'))).toEqual([
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
      '2026-03-02',
      '2026-03-03',
    ])
  })

  test('days are kept for the retention setting, plus today', () => {
    expect(oldestDayKept(new Date('2026-06-15T00:00:00Z'), 30)).toBe('2026-05-16')
  })

  test('the days of a decision follow from its id', () => {
    const id = idsFrom({ clock: fixedClock('2026-06-15T23:59:59.999Z'), random: seededRandom() })

    expect(daysOfDecision(id.next())).toEqual(['2026-06-14', '2026-06-15', '2026-06-16'])
  })
})

describe('a fault of writing', () => {
  test.each([
    ['repeated', { code: '23505' }],
    ['row', { code: '22P05' }],
    ['row', { code: '23514', message: 'new row violates check constraint' }],
    ['row', { cause: { code: '23502' } }],
    [
      'no-partition',
      { code: '23514', message: 'no partition of relation "auctions" found for row' },
    ],
    ['transient', { code: '57P01' }],
    ['transient', { code: '40P01' }],
    ['transient', { code: 'ECONNREFUSED' }],
    ['transient', new Error('Connection terminated unexpectedly')],
    ['transient', { message: 'Failed query', cause: { code: 'ECONNRESET' } }],
  ])('is %s: %o', (fault, error) => {
    expect(judgeFault(error)).toBe(fault)
  })
})

const linesOf = (batch: PackedBatch | undefined) =>
  batch && Array.from({ length: batch.size }, (_, at) => batch.lineAt(at))

describe('a batch', () => {
  test('each line of a batch has the batch number, and another one when it is sent again', () => {
    const batch = new PackedBatch()
    const ids = ['b', 'ü'].map((userKey) => {
      const record = aRecord({ userKey })
      batch.add(record)
      return record.decisionId
    })
    const starts = (number: string) =>
      batch
        .linesOf(number)
        .toString()
        .split('\n')
        .map((text) => text.split('\t', 2))

    expect(starts('7')).toEqual([...ids.map((id) => [`${'0'.repeat(18)}7`, id]), ['']])
    expect(starts('123')).toEqual([...ids.map((id) => [`${'0'.repeat(16)}123`, id]), ['']])
    expect(batch.ids()).toEqual(ids)
  })

  test('a batch without some of its records sums the others from their lines', () => {
    const records = [
      aRecord(),
      aRecord({ decision: NO_AD, placementType: 'a\tb', currency: undefined }),
      aRecord({ decidedAt: new Date('2026-06-16T00:00:00Z'), placementType: 'banner' }),
    ]

    const kept = batchOf(records).filter((at) => at > 0)

    const expected = batchOf(records.slice(1))
    expect(linesOf(kept)).toEqual(linesOf(expected))
    expect(kept.sums.rows()).toEqual(expected.sums.rows())
    expect(kept.sums.days()).toEqual(['2026-06-15', '2026-06-16'])
  })

  test('a cleared batch keeps nothing from before', () => {
    const batch = new PackedBatch()
    batch.add(aRecord())
    batch.clear()

    expect([batch.size, batch.byteLength, batch.sums.rows()]).toEqual([0, 0, []])
  })
})

const idsOf = (batch: PackedBatch | undefined) => batch?.ids()

describe('the queue of records', () => {
  test('the queue returns records in batches, oldest first', () => {
    const queue = new RecordQueue({ batchMax: 2, bytesMax: 10_000 })
    const records = [aRecord(), aRecord(), aRecord()]
    const [first, second, third] = records.map(({ decisionId }) => decisionId)
    for (const record of records) queue.push(record)

    expect(queue.hasFullBatch).toBe(true)
    expect([idsOf(queue.take()), queue.hasFullBatch, idsOf(queue.take()), queue.take()]).toEqual([
      [first, second],
      false,
      [third],
      undefined,
    ])
  })

  test('the queue drops its oldest batch when it weighs too much', () => {
    const records = [aRecord(), aRecord(), aRecord(), aRecord(), aRecord()]
    const [, , third, fourth, fifth] = records.map(({ decisionId }) => decisionId)
    const bytesOfOne = batchOf([aRecord()]).byteLength
    const queue = new RecordQueue({ batchMax: 2, bytesMax: bytesOfOne * 3 })

    const dropped = records.map((record) => queue.push(record))

    expect(dropped).toEqual([0, 0, 0, 2, 0])
    expect([queue.size, idsOf(queue.take()), idsOf(queue.take()), queue.size]).toEqual([
      3,
      [third, fourth],
      [fifth],
      0,
    ])
  })
})

describe('statistics', () => {
  test('statistics of nothing have no mean', () => {
    expect(winRate({ auctions: 0, won: 0 })).toBe(0)
    expect(averageEcpmMicros({ priced: 0, winningEcpmMicros: 0n })).toBeUndefined()
  })

  test('the mean is rounded half up', () => {
    expect(averageEcpmMicros({ priced: 2, winningEcpmMicros: 5n })).toBe(3n)
    expect(averageEcpmMicros({ priced: 3, winningEcpmMicros: 4n })).toBe(1n)
    expect(winRate({ auctions: 8, won: 3 })).toBe(37.5)
  })

  test('a range of statistics is widened to whole quarter-hours', () => {
    expect(bucketStart(new Date('2026-06-15T12:14:59Z')).toISOString()).toContain('12:00:00')
    expect(bucketEnd(new Date('2026-06-15T12:15:00Z')).toISOString()).toContain('12:30:00')
  })
})
