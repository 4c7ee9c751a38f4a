import { expect, test } from 'vitest'
import { createRow } from '../../../platform/resources/index.ts'
import { addUser, signInAs, startServer } from '../../../testing/server.ts'
import { actorOf } from '../../../testing/world.ts'
import { advertiser, importCampaigns } from '../../campaigns/index.ts'

const API = '/api/v1/admin'

interface Answer extends Record<string, unknown> {
  readonly id: string
  readonly faults: { path: string; message: string }[]
}

/** A buyer with two campaigns, and what it sends. */
async function aBuyer() {
  const server = await startServer()
  const { deps, http } = server
  const { account, email } = await addUser(deps, 'advertiser')
  const actor = actorOf({ ...account, kind: 'advertiser' })
  const body = { accountId: account.publicId, name: 'Northwind', currency: 'EUR' }
  const { publicId: advertiserId } = await createRow(deps, advertiser, { body, actor })
  const ids = await importCampaigns(deps, {
    bodies: ['=1+1, "quoted"', 'Plain'].map((name) => ({
      advertiserId,
      name,
      budgetDailyMicros: '12500000',
      categories: ['596', '597'],
      startsAt: '2030-01-01T00:00:00Z',
    })),
    actor,
  })
  const { headers } = await signInAs(server, email)
  const get = (url: string) => http.inject({ url: `${API}${url}`, headers })
  const post = async (url: string, payload: object = {}) => {
    const answer = await http.inject({ method: 'POST', url: `${API}${url}`, headers, payload })
    return { http: answer.statusCode, ...answer.json<Answer>() }
  }
  return { get, post, ids, advertiserId: String(advertiserId) }
}

test('an exported list can be imported again unchanged; changed and new lines become a change set that is undone as one', async () => {
  const { get, post, ids } = await aBuyer()
  const file = await get('/csv/campaigns?sort=name')
  expect(file.headers['content-disposition']).toContain('campaigns.csv')
  const same = await post('/csv/campaigns', { csv: file.body })
  expect(same).toMatchObject({ http: 201, state: 'draft', rows: 2, unchanged: 2, ready: 0 })

  const changed = file.body.replace(/Plain(.*?)12\.5/, 'Renamed$120')
  const [head] = file.body.split('\r\n')
  const places = head!.split(',')
  const line = file.body.split('\r\n')[2]!.split(',')
  const made = places.map((heading, place) =>
    heading === 'Name' ? 'Made here' : heading === 'Advertiser id' ? line[place] : '',
  )
  const draft = await post('/csv/campaigns', { csv: `${changed}${made.join(',')}\r\n` })
  expect(draft).toMatchObject({ http: 201, rows: 3, ready: 2, unchanged: 1 })
  const names = async () =>
    (await get('/campaigns?sort=name'))
      .json<{ items: { name: string; budgetDailyMicros: string | null }[] }>()
      .items.map(({ name, budgetDailyMicros }) => `${name} ${budgetDailyMicros}`)
  const before = await names()
  await post(`/change-sets/${draft.id}/publish`)
  expect(await names()).toEqual(['=1+1, "quoted" 12500000', 'Made here null', 'Renamed 20000000'])
  expect(await post(`/change-sets/${draft.id}/undo`)).toMatchObject({ undone: 2 })
  expect(await names()).toEqual(before)
  expect((await get(`/campaigns/${ids[0]}`)).json()).toMatchObject({ deletedAt: null })
})

test('a file with faults keeps nothing and names each by line and column, in words', async () => {
  const { get, post, ids, advertiserId } = await aBuyer()
  const csv = [
    'id,name,advertiser id,budget daily,ends at,priority',
    `${ids[0]},,,0,tomorrow,`,
    `,No advertiser,,,,`,
    `,Fine,${advertiserId},3,,`,
  ].join('\n')
  const refused = await post('/csv/campaigns', { csv })
  expect(refused).toMatchObject({ http: 400, code: 'INVALID_REQUEST' })
  const { faults } = refused
  expect(faults.map(({ path }) => path).toSorted()).toEqual(
    [
      'line 2, column advertiser id',
      'line 2, column budget daily',
      'line 2, column ends at',
      'line 2, column name',
      'line 2, column priority',
      'line 3, column advertiser id',
    ].map((path) => expect.stringMatching(new RegExp(path, 'i'))),
  )
  expect(JSON.stringify(faults)).not.toMatch(/micros|pattern|schema/)
  expect((await get('/change-sets')).json<{ items: unknown[] }>().items).toEqual([])
})
