import type { ReportQuery } from '@placard/contract/reports'
import { expect, test } from 'vitest'
import { aHistory, type History } from '../../testing/worlds/history.ts'
import { answerReport, type Dated } from './operations.ts'

const PLATFORM = { kind: 'platform', accountId: 0n } as const
const UNKNOWN_BANNER = '01890000-0000-7000-8000-000000000009'

const ask = (fields: Partial<Dated<ReportQuery>> = {}): Dated<ReportQuery> => ({
  dimensions: ['channel'],
  metrics: ['impressions', 'clicks', 'spendMicros', 'purchases', 'revenueMicros'],
  from: '2026-06-12',
  to: '2026-06-16',
  ...fields,
})

/**
 * Days of campaigns as another channel reports them, and the copy of our own figures stored beside
 * them.
 */
async function addOtherChannels({ pool, campaigns }: History) {
  const [own, , rivals] = campaigns
  const reported = [
    [own!, '2026-06-12', 'META'],
    [own!, '2026-06-14', 'META'],
    [rivals!, '2026-06-14', 'META'],
    [own!, '2026-06-13', 'ONSITE'],
  ] as const
  for (const [campaign, day, source] of reported) {
    await pool.query(
      `insert into ad_stats_daily
         (advertiser_id, entity_type, entity_id, stat_date, ad_source, fetched_at, spend_micros,
          impressions, link_clicks, content_views, add_to_cart, checkout_initiated, purchases,
          purchase_value_micros, cpm, ctr, cpc, cost_per_purchase, roas)
       values ($1, 'CAMPAIGN', $2, $3, $4, now(), 7000000, 1000, 50, 40, 10, 5, 2.5, 90000000,
               0, 0, 0, 0, 0)`,
      [campaign.advertiserKey, campaign.key, day, source],
    )
  }
}

async function twoChannels() {
  const history = await aHistory()
  await history.addAll()
  await addOtherChannels(history)
  return history
}

test('our own and other channels are listed side by side, each counted once', async () => {
  const { db } = await twoChannels()

  const { rows, totals } = await answerReport(db, ask(), PLATFORM)
  const own = await answerReport(db, ask({ dimensions: [] }), PLATFORM)

  const others = rows.filter((row) => row['channel' as never] === 'meta')
  expect(others).toHaveLength(2)
  expect(others).toContainEqual(
    expect.objectContaining({
      impressions: 2_000,
      clicks: 100,
      spendMicros: '14000000',
      purchases: 5,
      revenueMicros: '180000000',
    }),
  )
  const ownRows = rows.filter((row) => row['channel' as never] === 'onsite')
  const sums = (list: readonly object[], name: string) =>
    list.reduce((sum, row) => sum + Number((row as Record<string, unknown>)[name]), 0)
  expect(sums(ownRows, 'impressions')).toBe(sums(own.totals, 'impressions'))
  expect(sums(ownRows, 'spendMicros')).toBe(sums(own.totals, 'spendMicros'))
  expect(sums(totals, 'impressions')).toBe(sums(rows, 'impressions'))
})

test('a filter adds up several channels, or shows one', async () => {
  const { db } = await twoChannels()
  const asked = { dimensions: ['campaign', 'day'] } as const

  const both = await answerReport(
    db,
    ask({ dimensions: [...asked.dimensions], filters: { channel: ['onsite', 'meta'] } }),
    PLATFORM,
  )
  const meta = await answerReport(
    db,
    ask({ dimensions: [...asked.dimensions], filters: { channel: ['meta'] } }),
    PLATFORM,
  )

  expect(meta.rows).toHaveLength(3)
  expect(both.rows.length).toBeGreaterThan(3)
})

test('an advertiser sees its own channels only, with the previous days', async () => {
  const { db, accountId } = await twoChannels()
  const days = { from: '2026-06-14', to: '2026-06-15', compare: 'previous-period' } as const

  const { rows } = await answerReport(db, ask({ ...days, filters: { channel: ['meta'] } }), {
    kind: 'advertiser',
    accountId,
  })

  expect(rows).toMatchObject([
    { channel: 'meta', impressions: 1_000, previous: { impressions: 1_000 } },
  ])
})

test('a metric that channels do not report is refused, with the reason', async () => {
  const { db, accountId } = await twoChannels()
  const asked = (
    fields: Partial<Dated<ReportQuery>>,
    kind: 'platform' | 'publisher' = 'platform',
  ) => answerReport(db, ask(fields), { kind, accountId })

  await expect(asked({ timeZone: 'Asia/Kolkata' })).rejects.toThrow('UTC')
  await expect(asked({ dimensions: ['channel', 'country'] })).rejects.toThrow('country')
  await expect(asked({ filters: { bannerId: [UNKNOWN_BANNER] } })).rejects.toThrow('bannerId')
  await expect(asked({ metrics: ['views'] })).rejects.toThrow('views')
  await expect(asked({}, 'publisher')).rejects.toThrow('advertisers')
})
