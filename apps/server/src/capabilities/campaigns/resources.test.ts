import { expect, test } from 'vitest'
import {
  createRow,
  listRows,
  patchRow,
  present,
  removeRow,
} from '../../platform/resources/index.ts'
import { freshDatabase } from '../../testing/services/database.ts'
import { actorOf, addAccount, depsOn } from '../../testing/world.ts'
import { advertiser } from './resources.ts'

test('a created row can be read, changed and listed, and each change is audited', async () => {
  const deps = depsOn(await freshDatabase())
  const account = await addAccount(deps, 'advertiser')
  const actor = actorOf(account)
  const body = { accountId: account.publicId, name: 'Northwind', currency: 'EUR' }

  const made = await createRow(deps, advertiser, { body, actor })
  const changed = await patchRow(deps, advertiser, {
    publicId: String(made.publicId),
    actor,
    expectedVersion: 1,
    body: { budgetDailyMicros: '9007199254740993' },
  })

  expect(present(advertiser, changed)).toMatchObject({
    accountId: account.publicId,
    budgetDailyMicros: '9007199254740993',
    timeZone: 'UTC',
    version: 2,
  })
  const { items } = await listRows(deps, advertiser, {
    query: { search: 'north' },
    scope: actor.principal,
  })
  expect(items).toEqual([{ ...present(advertiser, changed), spentTodayMicros: '0' }])
  expect(deps.audited.map(({ action }) => action)).toEqual([
    'advertiser.create',
    'advertiser.update',
  ])
})

test('a row of another account is not found', async () => {
  const deps = depsOn(await freshDatabase())
  const owner = await addAccount(deps, 'advertiser')
  const stranger = actorOf(await addAccount(deps, 'advertiser'))
  const body = { accountId: owner.publicId, name: 'Northwind', currency: 'EUR' }
  const made = await createRow(deps, advertiser, { body, actor: actorOf(owner) })

  await expect(
    removeRow(deps, advertiser, { publicId: String(made.publicId), actor: stranger }),
  ).rejects.toThrow('advertiser')
  await expect(createRow(deps, advertiser, { body, actor: stranger })).rejects.toThrow('accountId')
})

test('pages follow each other without gap or repeat while rows are added', async () => {
  const deps = depsOn(await freshDatabase())
  const account = await addAccount(deps, 'platform')
  const actor = actorOf(account)
  const add = (name: string) =>
    createRow(deps, advertiser, {
      body: { accountId: account.publicId, name, currency: 'EUR' },
      actor,
    })
  for (const name of ['b', 'd', 'a', 'c', 'e']) await add(name)

  const names: unknown[] = []
  let cursor: string | undefined
  do {
    const page = await listRows(deps, advertiser, {
      query: { limit: 2, sort: 'name', ...(cursor && { cursor }) },
      scope: actor.principal,
    })
    names.push(...page.items.map(({ name }) => name))
    cursor = page.nextCursor
    if (names.length === 2) await add('aa')
  } while (cursor)

  expect(names).toEqual(['a', 'b', 'c', 'd', 'e'])
})
