import { expect, test } from 'vitest'
import { createRow, listRows, type Values } from '../../platform/resources/index.ts'
import { freshDatabase } from '../../testing/services/database.ts'
import { budgetDays } from '../budgets/tables.ts'
import { advertiser, campaign } from './resources.ts'
import { campaigns } from './tables.ts'
import { addMarket, marketOn, type Market } from './testing.ts'

/** Four active campaigns of two advertisers, three of them with spend today. */
async function aList() {
  const market = await marketOn(await freshDatabase())
  const { deps, actor } = market
  const account = { accountId: (await advertiserOf(market))['accountId'], currency: 'EUR' }
  const zebra = await createRow(deps, advertiser, { body: { ...account, name: 'Zebra' }, actor })
  const add = (name: string, body: Values = {}) => market.addCampaign({ name, ...body })
  await add('plain')
  await add('rich', { budgetDailyMicros: '90000000', endsAt: '2030-03-01T00:00:00Z' })
  await add('poor', { budgetDailyMicros: '10000000', endsAt: '2030-02-01T00:00:00Z' })
  await add('foreign', { advertiserId: zebra['publicId'], contractRef: 'IO-2030/117' })
  const rows = await deps.db.select().from(campaigns)
  await deps.db.update(campaigns).set({ status: 'active' })
  const today = deps.clock.now().toISOString().slice(0, 10)
  const spend = { plain: 7n, rich: 30_000_000n, poor: 9_000_000n } as Record<string, bigint>
  for (const { id, name } of rows) {
    if (!spend[name]) continue
    await deps.db
      .insert(budgetDays)
      .values({ scope: 'campaign', ownerId: id, day: today, spentMicros: spend[name] } as never)
  }
  const list = async (query: Values) => {
    const names: string[] = []
    let cursor: string | undefined
    do {
      const page = { limit: 1, ...query, ...(cursor && { cursor }) }
      const answer = await listRows(deps, campaign, { query: page, scope: actor.principal })
      names.push(...answer.items.map(({ name }) => String(name)))
      cursor = answer.nextCursor
    } while (cursor)
    return names.join(' ')
  }
  return { market, list, ids: Object.fromEntries(rows.map((row) => [row.name, row.publicId])) }
}

async function advertiserOf({ deps, actor }: Market) {
  const { items } = await listRows(deps, advertiser, { query: {}, scope: actor.principal })
  return items[0]!
}

test('campaigns are listed by spend, pace, budget, dates and advertiser, page after page, those without a value last', async () => {
  const { list } = await aList()
  expect(await list({ sort: '-spentTodayMicros' })).toBe('rich poor plain foreign')
  expect(await list({ sort: '-spentWeekMicros' })).toBe('rich poor plain foreign')
  expect(await list({ sort: 'spentTodayMicros' })).toBe('foreign plain poor rich')
  expect(await list({ sort: '-pace' })).toBe('poor rich foreign plain')
  expect(await list({ sort: 'pace' })).toBe('rich poor plain foreign')
  expect(await list({ sort: 'budgetDailyMicros' })).toBe('poor rich plain foreign')
  expect(await list({ sort: '-budgetDailyMicros' })).toBe('rich poor foreign plain')
  expect(await list({ sort: 'endsAt' })).toBe('poor rich plain foreign')
  expect(await list({ sort: '-endsAt' })).toBe('rich poor foreign plain')
  expect(await list({ sort: 'advertiserName' })).toBe('plain rich poor foreign')
  expect(await list({ sort: '-advertiserName' })).toBe('foreign poor rich plain')
  expect(await list({ sort: '-spentTodayMicros', search: 'zebra' })).toBe('foreign')
})

test('a search finds campaigns by name, advertiser, contract reference and id, each word anywhere', async () => {
  const { market, list, ids } = await aList()
  expect(await list({ search: 'zeb' })).toBe('foreign')
  expect(await list({ search: 'IO-2030/117' })).toBe('foreign')
  expect(await list({ search: 'northwind rich' })).toBe('rich')
  expect(await list({ search: 'zebra rich' })).toBe('')
  expect(await list({ search: ids['poor'] })).toBe('poor')
  const other = await addMarket(market.deps)
  const scope = other.actor.principal
  const query = { search: ids['poor'] }
  expect(await listRows(market.deps, campaign, { query, scope })).toEqual({ items: [] })
})
