import { expect, test } from 'vitest'
import { addKey, addUser, signInAs, startServer } from '../../../testing/server.ts'

const SETTINGS = { RATE_LIMIT_ACCOUNT_PERMITS_PER_MINUTE: '30' }

test('the keys of an account together may call no more often than its limit', async () => {
  const server = await startServer(SETTINGS)
  const { account } = await addUser(server.deps, 'advertiser')
  const other = await addUser(server.deps, 'advertiser')
  const scopes = ['campaigns:read']
  const statuses: number[] = []
  const ask = async (headers: Record<string, string>) =>
    await server.http.inject({ url: '/api/v1/admin/campaigns', headers })
  for (let key = 0; key < 10; key++) {
    const headers = await addKey(server, { account, scopes })
    for (let call = 0; call < 4; call++) statuses.push((await ask(headers)).statusCode)
  }

  expect(statuses.filter((status) => status === 200)).toHaveLength(30)
  expect(statuses.filter((status) => status === 429)).toHaveLength(10)
  const refused = await ask(await addKey(server, { account, scopes }))
  expect(refused.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await ask(await addKey(server, { account: other.account, scopes }))).statusCode).toBe(200)
})

test('an account has at most 100 working keys; a revoked key makes room', async () => {
  const server = await startServer()
  const operator = await addUser(server.deps, 'operator')
  const { account } = await addUser(server.deps, 'advertiser')
  for (let key = 0; key < 100; key++) await addKey(server, { account, scopes: ['campaigns:read'] })
  const { headers } = await signInAs(server, operator.email)
  const payload = { accountId: account.publicId, name: 'one more', scopes: ['campaigns:read'] }
  const send = (url: string, payload?: object) =>
    server.http.inject({ method: 'POST', url, headers, ...(payload && { payload }) })

  const refused = await send('/api/v1/admin/api-keys', payload)
  const list = await server.http.inject({ url: '/api/v1/admin/api-keys', headers })
  await send(
    `/api/v1/admin/api-keys/${list.json<{ items: { id: string }[] }>().items[0]!.id}/revoke`,
  )

  expect(refused.json()).toMatchObject({ status: 409, code: 'TOO_MANY_API_KEYS' })
  expect((await send('/api/v1/admin/api-keys', payload)).statusCode).toBe(201)
})
