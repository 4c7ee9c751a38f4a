import { expect, test } from 'vitest'
import { brand } from '../../capabilities/creatives/index.ts'
import { freshDatabase } from '../../testing/services/database.ts'
import { allowed, serverWith } from '../../testing/http.ts'
import { actorOf, depsOn } from '../../testing/world.ts'
import { createRow } from './operations.ts'
import { resourceRoutes } from './routes.ts'

test('pages can be turned at rows with the longest names that there can be', async () => {
  const deps = depsOn(await freshDatabase())
  const { http, actAs } = await serverWith(deps, (http) =>
    resourceRoutes(http, deps, { resource: brand }),
  )
  const actor = allowed(actorOf({ id: 1n, kind: 'platform' }), 'references:read')
  actAs(actor)
  const names = ['🦄', '"', '\u{10ffff}'].map((character) => character.repeat(255))
  for (const name of names) await createRow(deps, brand, { body: { name }, actor })

  const seen: string[] = []
  let cursor = ''
  do {
    const query = { limit: '1', sort: 'name', ...(cursor && { cursor }) }
    const page = (await http.inject({ url: '/api/v1/admin/brands', query })).json()
    seen.push(...page.items.map(({ name }: { name: string }) => name))
    cursor = page.nextCursor ?? ''
  } while (cursor)

  expect(seen.toSorted()).toEqual(names.toSorted())
})
