import { expect, test } from 'vitest'
import { freshDatabase } from '../../testing/services/database.ts'
import { allowed, serverWith } from '../../testing/http.ts'
import { actorOf, addAccount, depsOn } from '../../testing/world.ts'
import type { AssetStorage } from './assets/asset-storage.ts'
import { creativeRoutes } from './routes.ts'

const ADMIN = '/api/v1/admin'
const BANNER = `${ADMIN}/banners/01890000-0000-7000-8000-00000000dead`

async function aServer() {
  const deps = depsOn(await freshDatabase())
  const account = await addAccount(deps, 'advertiser')
  const { http, actAs } = await serverWith(deps, (http) =>
    creativeRoutes(http, { ...deps, storage: {} as AssetStorage, assetBytesMax: 1 }),
  )
  actAs(allowed(actorOf(account), 'banners:read', 'banners:write', 'references:write'))
  return { http }
}

test('the schedule action takes only schedule fields, and dates that every program understands', async () => {
  const { http } = await aServer()
  const schedule = (payload: object) =>
    http.inject({ method: 'PATCH', url: `${BANNER}/schedule`, payload })

  const refused = await schedule({ title: 'x' })
  expect(refused.json().faults).toEqual([{ path: 'body/title', message: 'is not known here' }])
  for (const publishAt of [
    '0000-01-01T00:00:00Z',
    '2026-06-30T23:59:60Z',
    '2026-02-30T00:00:00Z',
  ]) {
    expect((await schedule({ publishAt })).json().code).toBe('INVALID_REQUEST')
  }
  expect((await schedule({ publishAt: null })).json().code).toBe('BANNER_NOT_FOUND')
})

test('a user who manages banners may ask for approval and may not give it', async () => {
  const { http } = await aServer()
  const missing = '01890000-0000-7000-8000-00000000dead'
  const url = `${ADMIN}/creative-approvals`

  const payload = { bannerId: missing, siteId: missing }
  const asked = await http.inject({ method: 'POST', url, payload })
  const given = await http.inject({ method: 'POST', url: `${url}/${missing}/approve` })

  expect(asked.json().code).toBe('BANNER_NOT_FOUND')
  expect(given.json().code).toBe('FORBIDDEN')
})

test('an import reports what it did', async () => {
  const { http } = await aServer()
  const payload = { items: [{ externalId: 'a', name: 'Acme' }] }

  const response = await http.inject({
    method: 'POST',
    url: `${ADMIN}/seo-records/import`,
    payload,
  })

  expect(response.json()).toEqual({ created: 1, updated: 0, unchanged: 0 })
})
