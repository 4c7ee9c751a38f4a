import { expect, test } from 'vitest'
import { listRows, type Values } from '../../platform/resources/index.ts'
import { freshDatabase } from '../../testing/services/database.ts'
import { importCampaigns } from './import/operations.ts'
import { campaign } from './resources.ts'
import { addMarket, marketOn, type Market } from './testing.ts'

/** More rows than a search scans before it uses the index of words. */
async function aLongList(): Promise<Market> {
  const market = await marketOn(await freshDatabase())
  const { deps, actor, advertiserId } = market
  const names = Array.from({ length: 2_500 }, (_, n) => {
    const word = n % 500 === 3 ? 'zeppelin' : 'plain'
    return `${word} ${n % 2 === 0 ? 'even' : 'odd'} ${String(2_500 - n).padStart(4, '0')}`
  })
  const bodies = names.map((name) => ({ advertiserId, name, priority: name.length % 3 }))
  await importCampaigns(deps, { bodies, actor })
  return market
}

/** The names that a search lists, page after page. */
async function found({ deps, actor }: Market, query: Values): Promise<string[]> {
  const names: string[] = []
  let cursor: string | undefined
  do {
    const page = { ...query, ...(cursor && { cursor }) }
    const answer = await listRows(deps, campaign, { query: page, scope: actor.principal })
    names.push(...answer.items.map(({ name }) => String(name)))
    cursor = answer.nextCursor
  } while (cursor)
  return names
}

const RARE = [3, 503, 1_003, 1_503, 2_003].map(
  (n) => `zeppelin odd ${String(2_500 - n).padStart(4, '0')}`,
)

test('a rare word is found anywhere in a long list, in the requested order', async () => {
  const market = await aLongList()

  expect(await found(market, { search: 'zeppelin', limit: 2 })).toEqual(RARE.toReversed())
  expect(await found(market, { search: 'zepp', sort: 'createdAt', limit: 2 })).toEqual(RARE)
  expect(await found(market, { search: 'odd zeppelin', sort: 'name', limit: 2 })).toEqual(
    RARE.toReversed(),
  )
  expect(await found(market, { search: 'zeppelin even' })).toEqual([])
})

test('a common word is found page after page, without gap or repeat', async () => {
  const market = await aLongList()

  const names = await found(market, { search: 'odd', sort: 'name', limit: 200 })

  expect(names).toHaveLength(1_250)
  expect(names).toEqual([...new Set(names)].toSorted())
})

test('a search stays within the account and the filters', async () => {
  const market = await aLongList()
  const other = await addMarket(market.deps)
  await other.addCampaign({ name: 'zeppelin of another account' })
  const query = { search: 'zeppelin' }

  expect(await found(other, query)).toEqual(['zeppelin of another account'])
  expect(await found(market, { ...query, advertiserId: other.advertiserId })).toEqual([])
  expect(await found(market, { ...query, status: 'active' })).toEqual([])
})
