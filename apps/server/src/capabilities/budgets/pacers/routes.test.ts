import { expect, test } from 'vitest'
import { getRow } from '../../../platform/resources/index.ts'
import { allowed, serverWith } from '../../../testing/http.ts'
import { actorOf } from '../../../testing/world.ts'
import { campaign } from '../../campaigns/index.ts'
import { addCampaign, aMarket, eventsOf, type Market, settlerOn } from '../../tracking/testing.ts'
import { proveLedger } from '../ledger/proof.ts'
import type { KnownCampaign } from './operations.ts'
import { pacerRoutes } from './routes.ts'

const PLATFORM = { id: 0n, kind: 'platform' }
/** 15 June 2026, noon UTC: the same day in Berlin. */
const TODAY = 20_619

async function serverOn(market: Market) {
  const { http, actAs } = await serverWith(market.deps, (http) =>
    pacerRoutes(http, {
      ...market.deps,
      getCampaign: async (db, actor, publicId) =>
        (await getRow(db, campaign, { publicId, actor })) as unknown as KnownCampaign,
    }),
  )
  actAs(allowed(actorOf(PLATFORM), 'campaigns:read', 'operations:write'))
  const call = async (method: 'GET' | 'PUT', path: string, headers = {}) =>
    http.inject({ method, url: `/api/v1/admin/budget${path}`, headers })
  return { call, actAs }
}

async function spend(market: Market, campaignKey: number, micros: number) {
  const event = eventsOf(market)({ campaignKey, budgetDay: TODAY, chargeMicros: micros * 1_000 })
  const { fresh } = await settlerOn(market).settle([event], { countsRepeats: true })
  return fresh[0]!.billing
}

async function publicIdOf({ pool }: Market, campaignKey: number): Promise<string> {
  const { rows } = await pool.query('select public_id from campaigns where id = $1', [campaignKey])
  return rows[0].public_id
}

async function aSpendingMarket() {
  const market = await aMarket()
  const campaignKey = await addCampaign(market, {
    dailyMicros: 1_000_000n,
    totalMicros: 2_500_000n,
  })
  await spend(market, campaignKey, 400_000)
  return { market, campaignKey, campaignId: await publicIdOf(market, campaignKey) }
}

test('a pacer shows what is left of today, as decimals and as exact micros', async () => {
  const { market, campaignId } = await aSpendingMarket()
  const { call } = await serverOn(market)

  const { statusCode, ...answer } = await call('GET', `/campaigns/${campaignId}`)

  expect(statusCode).toBe(200)
  expect(answer.json()).toMatchObject({
    id: campaignId,
    campaignId,
    campaignStatus: 'draft',
    currency: 'EUR',
    day: '2026-06-15',
    dailyBudget: 1,
    dailyBudgetMicros: '1000000',
    spentToday: 0.4,
    spentTodayMicros: '400000',
    plannedMicros: '583333',
    remainingBudget: 0.6,
    remainingBudgetMicros: '600000',
    utilizationPercent: 40,
    strategy: 'Smooth',
  })
})

test('another account finds no pacer, and none in the list', async () => {
  const { market, campaignId } = await aSpendingMarket()
  const { call, actAs } = await serverOn(market)
  actAs(allowed(actorOf({ id: 99n, kind: 'advertiser' }), 'campaigns:read'))

  expect((await call('GET', `/campaigns/${campaignId}`)).statusCode).toBe(404)
  expect((await call('GET', '/pacers')).json()).toMatchObject({ items: [], totalCount: 0 })
  expect((await call('GET', '/statistics')).json()).toMatchObject({ totalCampaigns: 0 })
})

test('pacers are listed by page and by cursor, latest change first', async () => {
  const { market, campaignId } = await aSpendingMarket()
  await addCampaign(market)
  await addCampaign(market)
  const { call } = await serverOn(market)
  const idsOf = (answer: { json(): { items: { campaignId: string }[] } }) =>
    answer.json().items.map((item) => item.campaignId)

  const first = await call('GET', '/pacers?pageSize=2')
  const second = await call('GET', '/pacers?pageSize=2&page=2')
  const after = await call('GET', `/pacers?pageSize=2&cursor=${first.json().nextCursor}`)

  expect(first.json()).toMatchObject({ totalCount: 3, page: 1, pageSize: 2, totalPages: 2 })
  expect([...idsOf(first), ...idsOf(second)]).toContain(campaignId)
  expect(new Set([...idsOf(first), ...idsOf(second)]).size).toBe(3)
  expect(idsOf(after)).toEqual(idsOf(second))
  expect(idsOf(await call('GET', `/pacers?campaignId=${campaignId}`))).toEqual([campaignId])
})

test('statistics add up per currency, and count those with nothing left', async () => {
  const { market } = await aSpendingMarket()
  const spent = await addCampaign(market, { dailyMicros: 100n })
  await spend(market, spent, 100)
  await addCampaign(market)
  const { call } = await serverOn(market)

  expect((await call('GET', '/statistics')).json()).toMatchObject({
    totalCampaigns: 2,
    totalDailyBudget: 1.0001,
    totalSpentToday: 0.4001,
    averageUtilization: 70,
    campaignsExceeded: 1,
    currencies: [{ currency: 'EUR', totalCampaigns: 2, totalDailyBudgetMicros: '1000100' }],
  })
})

test('after a reset the day can be spent again, the ledger keeps both, and the lifetime limit holds', async () => {
  const { market, campaignKey, campaignId } = await aSpendingMarket()
  await spend(market, campaignKey, 600_000)
  expect(await spend(market, campaignKey, 1)).toBe('over-delivery')
  const { call } = await serverOn(market)

  const answer = await call('PUT', `/campaigns/${campaignId}/reset`)

  expect(answer.json()).toMatchObject({ spentTodayMicros: '0', remainingBudgetMicros: '1000000' })
  expect(market.deps.audited).toMatchObject([{ action: 'reset-budget', entityId: campaignId }])
  expect(await spend(market, campaignKey, 1_000_000)).toBe('charged')
  expect(await spend(market, campaignKey, 1)).toBe('over-delivery')
  await call('PUT', `/campaigns/${campaignId}/reset`)
  expect(await spend(market, campaignKey, 500_000)).toBe('charged')
  expect(await spend(market, campaignKey, 1)).toBe('over-delivery')
  const days = { fromDay: '2026-06-15', toDay: '2026-06-15', withEvents: true }
  const { faults } = await proveLedger({ pool: market.pool, clock: market.deps.clock }, days)
  expect(faults).toEqual([])
})

test('a reset sent twice with one key runs once, and does nothing without spend', async () => {
  const { market, campaignKey, campaignId } = await aSpendingMarket()
  const { call } = await serverOn(market)
  const headers = { 'idempotency-key': 'reset-1' }

  const first = await call('PUT', `/campaigns/${campaignId}/reset`, headers)
  await spend(market, campaignKey, 5)
  const again = await call('PUT', `/campaigns/${campaignId}/reset`, headers)
  await call('PUT', `/campaigns/${campaignId}/reset`)
  await call('PUT', `/campaigns/${campaignId}/reset`)

  expect(again.json()).toEqual(first.json())
  const { rows } = await market.pool.query(
    `select amount_micros from ledger_entries where kind = 'allowance' order by entry_id`,
  )
  expect(rows).toEqual([{ amount_micros: '400000' }, { amount_micros: '5' }])
})

test('only an operator may reset', async () => {
  const { market, campaignId } = await aSpendingMarket()
  const { call, actAs } = await serverOn(market)
  actAs(allowed(actorOf(PLATFORM), 'campaigns:read', 'campaigns:write'))

  expect((await call('PUT', `/campaigns/${campaignId}/reset`)).statusCode).toBe(403)
})
