import { expect, test } from 'vitest'
import { createRow, getRow, present } from '../../../platform/resources/index.ts'
import { freshDatabase } from '../../../testing/services/database.ts'
import { Problem } from '../../../platform/problem.ts'
import { importCampaigns } from './operations.ts'
import { campaign, sellpage } from '../resources.ts'
import { campaigns } from '../tables.ts'
import { addMarket, marketOn, type Market } from '../testing.ts'

const bodiesOf = ({ advertiserId }: Market, count: number) =>
  Array.from({ length: count }, (_, n) => ({ advertiserId, name: `Import ${n}` }))

test('an import creates many campaigns, each as if it were created alone', async () => {
  const market = await marketOn(await freshDatabase())
  const { deps, actor } = market
  const [plain, rich] = await importCampaigns(deps, {
    bodies: [
      { advertiserId: market.advertiserId, name: 'Plain' },
      {
        advertiserId: market.advertiserId,
        name: 'Rich "quoted" \\ ünïcode',
        categories: ['596', '597'],
        maxBidMicros: '999999999999999',
        startsAt: '2030-01-01T00:00:00Z',
        budgetDailyMicros: '5',
        priority: 3,
      },
    ],
    actor,
  })
  const viewOf = async (publicId: string) =>
    present(campaign, await getRow(deps.db, campaign, { publicId, actor }))
  const alone = await viewOf(await market.addCampaign({ name: 'Plain', maxBidMicros: '0' }))

  expect({ ...(await viewOf(plain!)), id: '' }).toEqual({ ...alone, id: '' })
  expect(await viewOf(rich!)).toMatchObject({
    name: 'Rich "quoted" \\ ünïcode',
    categories: ['596', '597'],
    maxBidMicros: '999999999999999',
    startsAt: '2030-01-01T00:00:00.000Z',
    budgetDailyMicros: '5',
    budgetTotalMicros: null,
    priority: 3,
    status: 'draft',
  })
  expect(deps.audited.map(({ action }) => action)).toContain('campaign.import')
})

test('an import with faults writes nothing, and names every fault with its row', async () => {
  const market = await marketOn(await freshDatabase())
  const other = await addMarket(market.deps)
  const { deps, actor, advertiserId } = market
  await market.addCampaign({ externalId: 'taken' })
  const base = { advertiserId, name: 'Import' }
  const bodies = [
    base,
    { ...base, advertiserId: other.advertiserId },
    { ...base, startsAt: '2030-01-02T00:00:00Z', endsAt: '2030-01-01T00:00:00Z' },
    { ...base, externalId: 'taken', sellpageId: advertiserId },
    { ...base, externalId: 'new' },
    { ...base, externalId: 'new' },
    { ...base, externalId: 'taken', channel: 'meta' },
  ]

  const error = await importCampaigns(deps, { bodies, actor }).catch((error: unknown) => error)

  expect((error as Problem).kind.code).toBe('INVALID_REQUEST')
  expect((error as Problem).faults.map(({ path }) => path)).toEqual([
    'body/campaigns/1/advertiserId',
    'body/campaigns/2/endsAt',
    'body/campaigns/3/sellpageId',
    'body/campaigns/3/externalId',
    'body/campaigns/5/externalId',
  ])
  expect(await deps.db.$count(campaigns)).toBe(1)
})

test('an import accepts sellpages of the same advertiser only', async () => {
  const market = await marketOn(await freshDatabase())
  const { deps, actor, advertiserId } = market
  const other = await addMarket(deps)
  const body = { advertiserId: other.advertiserId, name: 'Shoes', url: 'https://shop.example/' }
  const page = await createRow(deps, sellpage, { body, actor: other.actor })
  const bodies = [{ advertiserId, name: 'Import', sellpageId: String(page.publicId) }]
  const platform = { ...actor, principal: { ...actor.principal, isPlatform: true } }
  const faultOf = async (actor: Market['actor']) => {
    const error = await importCampaigns(deps, { bodies, actor }).catch((error: unknown) => error)
    return (error as Problem).faults[0]?.message
  }

  expect(await faultOf(actor)).toBe('There is no such sellpage')
  expect(await faultOf(platform)).toContain('another advertiser')
})

test('ten thousand campaigns take a few statements, not one each', async () => {
  const connection = await freshDatabase()
  const market = await marketOn(connection)
  let statements = 0
  const query = connection.pool.query.bind(connection.pool) as (...args: unknown[]) => unknown
  Object.assign(connection.pool, {
    query: (...args: unknown[]) => {
      statements++
      return query(...args)
    },
  })

  await importCampaigns(market.deps, { bodies: bodiesOf(market, 10_000), actor: market.actor })

  expect(statements).toBeLessThan(10)
  expect(await market.deps.db.$count(campaigns)).toBe(10_000)
})
