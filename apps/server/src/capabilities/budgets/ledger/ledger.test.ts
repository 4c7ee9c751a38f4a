import { describe, expect, test } from 'vitest'
import { fixedClock } from '../../../testing/fixed.ts'
import { allowed, serverWith } from '../../../testing/http.ts'
import { actorOf } from '../../../testing/world.ts'
import {
  addCampaign,
  aMarket,
  booksOf,
  eventsOf,
  type Market,
  settlerOn,
} from '../../tracking/testing.ts'
import { ledgerRoutes } from './routes.ts'
import { proveLedger } from './proof.ts'
import { applyLimits } from './store-limits.ts'

const DAYS = { fromDay: '2026-06-14', toDay: '2026-06-17', withEvents: true }
const clock = fixedClock()
const prove = ({ pool }: Market) => proveLedger({ pool, clock }, DAYS)

async function someSpend() {
  const market = await aMarket()
  const campaigns = [await addCampaign(market), await addCampaign(market, { dailyMicros: 3_000n })]
  const anEvent = eventsOf(market)
  const settler = settlerOn(market)
  for (let batch = 0; batch < 3; batch++) {
    const events = campaigns.flatMap((campaignKey) =>
      [0, 1, 2].map((i) => anEvent({ campaignKey, chargeMicros: 777_777 + i })),
    )
    await settler.settle(events, { countsRepeats: true })
  }
  return { market, campaigns: campaigns as [number, number] }
}

describe('the ledger proof', () => {
  test('the proof confirms that entries, events and budget days agree', async () => {
    const { market } = await someSpend()

    expect(await prove(market)).toMatchObject({ budgetDays: 3, differenceMicros: 0n, faults: [] })
  })

  test.each([
    ['a lost entry', `delete from ledger_entries where scope = 'campaign'`, 'entries-differ'],
    [
      'a changed amount',
      `update ledger_entries set amount_micros = amount_micros + 1`,
      'entries-differ',
    ],
    ['a lost event', 'delete from impressions where charged_millis > 0', 'events-differ'],
    [
      'an event that differs by a thousandth',
      'update impressions set charged_millis = charged_millis + 1',
      'events-differ',
    ],
    [
      'spend without an entry',
      'update budget_days set spent_micros = spent_micros - 1',
      'entries-differ',
    ],
    [
      'an allowance without an entry',
      'update budget_days set allowance_micros = 1',
      'allowance-differs',
    ],
    [
      'a lifetime that differs',
      'update campaign_totals set spent_micros = spent_micros - 1',
      'entries-differ',
    ],
  ])('the proof notices %s', async (_, tampering, kind) => {
    const { market } = await someSpend()
    await market.pool.query(tampering)

    const { faults, differenceMicros } = await prove(market)

    expect(faults).toContainEqual(expect.objectContaining({ kind }))
    expect(differenceMicros).toBeGreaterThan(0n)
  })

  test('a proof is stored, and shown to the operator', async () => {
    const { market, campaigns } = await someSpend()
    const operator = actorOf({ id: market.accountId, kind: 'platform' })
    const { http, actAs } = await serverWith(market.deps, (http) =>
      ledgerRoutes(http, { pool: market.pool, clock, getCampaignKey: async () => campaigns[1] }),
    )
    actAs(allowed(operator, 'operations:read', 'operations:write', 'campaigns:read'))

    const { fromDay, toDay } = DAYS
    const proved = await http.inject({
      method: 'POST',
      url: '/api/v1/admin/budget/proofs',
      payload: { fromDay, toDay },
    })
    const listed = await http.inject('/api/v1/admin/budget/proofs')
    const books = await http.inject(
      `/api/v1/admin/budget/ledger/${market.deps.ids.next()}?fromDay=${fromDay}&toDay=${toDay}`,
    )

    expect(proved.json().items).toMatchObject([{ differenceMicros: '0', faults: [] }])
    expect(listed.json()).toEqual(proved.json())
    expect(books.json()).toEqual({
      days: [
        {
          day: '2026-06-15',
          limitMicros: '3000',
          spentMicros: '2333',
          entriesMicros: '2333',
          allowanceMicros: '0',
          agrees: true,
        },
      ],
    })
  })
})

const change = async (market: Market, column: string, value: bigint | null) => {
  await market.pool.query(`update campaigns set ${column} = $1`, [value])
  const { rows } = await market.pool.query('select id from campaigns')
  const campaignKeys = rows.map(({ id }) => Number(id))
  await applyLimits(market.pool, { campaignKeys, advertiserKeys: [], at: clock.now() })
}

const spendMore = async (market: Market, campaignKey: number, budgetDay = 20_619) => {
  const event = eventsOf(market)({ campaignKey, budgetDay })
  const { fresh } = await settlerOn(market).settle([event], { countsRepeats: true })
  return fresh[0]!.billing
}

describe('a changed budget limit', () => {
  test('a budget lowered below the spend stops delivery at once, and takes nothing back', async () => {
    const { market, campaigns } = await someSpend()
    const before = await booksOf(market.pool, campaigns[0])

    await change(market, 'budget_daily_micros', 1n)

    expect(await spendMore(market, campaigns[0])).toBe('over-delivery')
    expect(await booksOf(market.pool, campaigns[0])).toEqual(before)
  })

  test('a raised or lifted budget resumes delivery', async () => {
    const { market, campaigns } = await someSpend()
    expect(await spendMore(market, campaigns[1])).toBe('over-delivery')

    await change(market, 'budget_daily_micros', 10_000n)
    expect(await spendMore(market, campaigns[1])).toBe('charged')
    await change(market, 'budget_daily_micros', null)
    expect(await spendMore(market, campaigns[1])).toBe('charged')
  })

  test('a changed budget leaves past days as they were', async () => {
    const { market, campaigns } = await someSpend()
    expect(await spendMore(market, campaigns[1], 20_618)).toBe('charged')

    await change(market, 'budget_daily_micros', 1n)

    expect(await spendMore(market, campaigns[1], 20_618)).toBe('charged')
  })
})
