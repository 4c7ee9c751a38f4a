import { beforeAll, describe, expect, test } from 'vitest'
import type { AtEnd } from '../testing/services/database.ts'
import { freshDatabase } from '../testing/services/database.ts'
import { addUser, signInAs, startServerOn } from '../testing/server.ts'

const NAMES = ['Zeppelin harbour', 'Amber lamp', 'Harbour light']

interface Ground {
  call(method: 'GET' | 'POST', path: string, payload?: object): Promise<unknown>
  readonly accountId: string
  readonly advertiserId: string
  readonly siteId: string
  readonly publisherId: string
}

let ground: Ground
const ends: (() => Promise<void> | void)[] = []
const atEnd: AtEnd = (end) => void ends.unshift(end)

beforeAll(async () => {
  ground = await makeGround()
  return async () => {
    for (const end of ends) await end()
  }
})

async function makeGround(): Promise<Ground> {
  const server = await startServerOn(await freshDatabase(undefined, atEnd), { atEnd })
  const { email, account } = await addUser(server.deps, 'operator')
  const { headers } = await signInAs(server, email)
  const call: Ground['call'] = async (method, path, payload) => {
    const url = `/api/v1/admin${path}`
    const answer = await server.http.inject({ method, url, headers, ...(payload && { payload }) })
    expect([path, answer.statusCode < 300 || answer.body]).toEqual([path, true])
    return answer.json()
  }
  const make = async (path: string, payload: object) =>
    ((await call('POST', path, payload)) as { id: string }).id
  const accountId = account.publicId
  const owned = { accountId, name: 'Ground', currency: 'EUR' }
  const publisherId = await make('/publishers', owned)
  const siteId = await make('/sites', { publisherId, name: 'Ground', domain: 'ground.example' })
  const advertiserId = await make('/advertisers', owned)
  return { call, accountId, advertiserId, siteId, publisherId }
}

interface List {
  readonly path: string
  readonly field?: string
  readonly makeAt?: string
  body(name: string, at: number): object | Promise<object>
}

const LISTS: readonly List[] = [
  { path: '/accounts', body: (name) => ({ name, kind: 'advertiser' }) },
  {
    path: '/users',
    makeAt: '/users/invite',
    field: 'displayName',
    body: (displayName, at) => ({
      displayName,
      email: `person-${at}@test.example`,
      role: 'ad-ops',
      accountId: ground.accountId,
    }),
  },
  {
    path: '/api-keys',
    body: (name) => ({ name, accountId: ground.accountId, scopes: ['campaigns:read'] }),
  },
  {
    path: '/webhook-endpoints',
    body: (name) => ({
      name,
      url: 'https://hooks.example/placard',
      eventTypes: ['budget.exhausted.v1'],
    }),
  },
  { path: '/recipients', body: (name) => ({ name, mailTo: ['ada@test.example'] }) },
  {
    path: '/connections',
    body: (name) => ({
      name,
      advertiserId: ground.advertiserId,
      connectionType: 'PAGE',
      provider: 'onsite',
    }),
  },
  {
    path: '/sellpages',
    body: (name, at) => ({
      name,
      advertiserId: ground.advertiserId,
      url: `https://shop.example/${at}`,
    }),
  },
  {
    path: '/slots',
    async body(name, at) {
      const { publisherId, siteId, call } = ground
      const placement = { publisherId, slug: `top-${at}`, label: name, layoutType: 'inline_card' }
      const { id } = (await call('POST', '/placements', placement)) as { id: string }
      return { name, siteId, placementId: id, width: 300, height: 250 }
    },
  },
]

describe.each(LISTS)('$path', ({ path, field = 'name', makeAt = path, body }) => {
  test('the list is searched by the beginnings of words and sorted by name, on the server', async () => {
    for (const [at, name] of NAMES.entries()) {
      await ground.call('POST', makeAt, await body(name, at))
    }
    const names = async (query: string) => {
      const { items } = (await ground.call('GET', `${path}?${query}`)) as {
        items: Record<string, unknown>[]
      }
      return items.map((row) => row[field])
    }

    expect(await names(`search=harb&sort=${field}`)).toEqual(['Harbour light', 'Zeppelin harbour'])
    expect(await names(`search=harb&sort=-${field}`)).toEqual(['Zeppelin harbour', 'Harbour light'])
    expect(await names('search=nowhere')).toEqual([])
    expect(
      (await names(`sort=${field}&limit=200`)).filter((name) => NAMES.includes(String(name))),
    ).toEqual(NAMES.toSorted())
  })
})
