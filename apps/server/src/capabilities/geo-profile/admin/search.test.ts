import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addUser } from '../../../testing/server.ts'
import { users } from '../../accounts/tables.ts'
import { trustDesk } from './testing-desk.ts'

test('trust and safety finds a user by name, by e-mail and by id', async () => {
  const { deps, http, headers } = await trustDesk()
  const { publicId, email } = await addUser(deps, 'advertiser')
  await addUser(deps, 'publisher')
  await deps.db
    .update(users)
    .set({ displayName: 'Nora Winter' })
    .where(eq(users.publicId, publicId))
  const find = async (search: string) => {
    const url = `/api/v1/admin/users?search=${encodeURIComponent(search)}`
    const { items } = (await http.inject({ url, headers })).json<{ items: { id: string }[] }>()
    return items.map(({ id }) => id)
  }

  for (const search of ['winter', 'nora win', email, email.split('@')[0]!, publicId]) {
    expect({ search, found: await find(search) }).toEqual({ search, found: [publicId] })
  }
  expect(await find('no such name')).toEqual([])
})
