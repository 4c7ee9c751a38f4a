import { expect, test } from 'vitest'
import { createRow } from '../../platform/resources/index.ts'
import { addUser, signInAs, startServer } from '../../testing/server.ts'
import { actorOf } from '../../testing/world.ts'
import { advertiser, importCampaigns } from '../campaigns/index.ts'

test('one search finds campaigns, advertisers and people that the caller may read, a few of each, and nothing of others', async () => {
  const server = await startServer()
  const { http, deps } = server
  const buyer = await addUser(deps, 'advertiser')
  const other = await addUser(deps, 'advertiser')
  const operator = await addUser(deps, 'operator')
  const ids: string[] = []
  for (const { account } of [buyer, other]) {
    const actor = actorOf({ ...account, kind: 'advertiser' })
    const body = { accountId: account.publicId, name: 'Zeppelin Travel', currency: 'EUR' }
    const { publicId: advertiserId } = await createRow(deps, advertiser, { body, actor })
    const bodies = Array.from({ length: 7 }, (_, n) => ({ advertiserId, name: `Flight ${n}` }))
    ids.push(...(await importCampaigns(deps, { bodies, actor })))
  }
  const find = async (email: string, query: string) => {
    const { headers } = await signInAs(server, email)
    const answer = await http.inject({ url: `/api/v1/admin/search?${query}`, headers })
    expect(answer.statusCode).toBe(200)
    return answer.json<{ items: { kind: string; id: string; note: string }[] }>().items
  }
  const kinds = (items: { kind: string }[]) => items.map(({ kind }) => kind).join(' ')

  expect(kinds(await find(buyer.email, 'search=zepp&limit=2'))).toBe('campaign campaign advertiser')
  expect(kinds(await find(operator.email, 'search=zepp&limit=2'))).toBe(
    'campaign campaign advertiser advertiser',
  )
  expect(await find(buyer.email, `search=${ids[0]}`)).toMatchObject([
    { kind: 'campaign', id: ids[0], name: 'Flight 0', note: 'Zeppelin Travel' },
  ])
  expect(await find(buyer.email, `search=${ids.at(-1)}`)).toEqual([])
  expect(kinds(await find(operator.email, 'search=the+advertiser'))).toBe('user user')
  expect(kinds(await find(buyer.email, 'search=the+advertiser'))).toBe('')
  expect(await find(operator.email, 'search=%21%3F')).toEqual([])
})
