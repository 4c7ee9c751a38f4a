import { expect, test } from 'vitest'
import { addUser, signInAs, startServer } from '../../../testing/server.ts'

const TOKEN = 'EAAB-secret-of-the-shop'

async function aShop(settings: Record<string, string> = {}) {
  const server = await startServer(settings)
  const { email, account } = await addUser(server.deps, 'advertiser')
  const { headers } = await signInAs(server, email)
  const send = (method: 'POST' | 'PATCH' | 'GET', path: string, payload?: object) =>
    server.http.inject({
      method,
      url: `/api/v1/admin${path}`,
      headers,
      ...(payload && { payload }),
    })
  const body = { accountId: account.publicId, name: 'Northwind', currency: 'EUR' }
  const advertiserId = (await send('POST', '/advertisers', body)).json<{ id: string }>().id
  const connect = (fields: object = {}) =>
    send('POST', '/connections', {
      advertiserId,
      name: 'Main',
      connectionType: 'AD_ACCOUNT',
      provider: 'mock',
      credentials: TOKEN,
      ...fields,
    })
  return { server, send, advertiserId, connect }
}

test('credentials are stored encrypted, never shown, and never written to the audit log', async () => {
  const { server, send, connect } = await aShop()
  const { db } = server.deps

  const made = await connect()
  const { id } = made.json<{ id: string }>()
  const changed = await send('PATCH', `/connections/${id}`, { credentials: `${TOKEN}-new` })

  expect(made.statusCode).toBe(201)
  expect(changed.json()).toMatchObject({ hasCredentials: true, version: 2 })
  const shown = await send('GET', `/connections/${id}`)
  const tables = ['channel_connections', 'audit_log', 'changes', 'outbox']
  const kept = await Promise.all(
    tables.map((table) => db.execute(`select t::text as row from ${table} t`)),
  )
  const everything = JSON.stringify([made.body, changed.body, shown.body, kept])
  expect(everything).not.toContain(TOKEN)
  expect(everything).toContain('change-credentials')
  const gone = await send('PATCH', `/connections/${id}`, { credentials: null })
  expect(gone.json()).toMatchObject({ hasCredentials: false })
})

test('the mock provider is refused in production unless it is allowed', async () => {
  const production = {
    PLACARD_MODE: 'production',
    JWT_SECRET: 'x'.repeat(32),
    USER_KEY_SECRET: 'x'.repeat(32),
    ENCRYPTION_SECRET: 'x'.repeat(32),
    TRACKING_KEYS: `1:${'x'.repeat(32)}`,
  }
  const strict = await aShop(production)
  const lenient = await aShop({ ...production, MOCK_PROVIDER: 'allowed' })

  expect((await strict.connect()).json()).toMatchObject({ code: 'MOCK_PROVIDER_REFUSED' })
  expect((await lenient.connect()).statusCode).toBe(201)
})

test('a campaign is synced through an ad account of its own advertiser and channel', async () => {
  const { send, advertiserId, connect } = await aShop()
  const idOf = async (fields: object) => (await connect(fields)).json<{ id: string }>().id
  const campaignThrough = async (connectionId: string, channel: string) =>
    (
      await send('POST', '/campaigns', { advertiserId, name: 'Autumn', channel, connectionId })
    ).json<{ code?: string; connectionId?: string }>()

  const account = await idOf({})
  const page = await idOf({ connectionType: 'PAGE' })
  const own = await idOf({ provider: 'onsite' })

  expect(await campaignThrough(account, 'meta')).toMatchObject({ connectionId: account })
  expect(await campaignThrough(own, 'onsite')).toMatchObject({ connectionId: own })
  expect(await campaignThrough(account, 'onsite')).toMatchObject({ code: 'CONNECTION_UNFIT' })
  expect(await campaignThrough(own, 'meta')).toMatchObject({ code: 'CONNECTION_UNFIT' })
  expect(await campaignThrough(page, 'meta')).toMatchObject({ code: 'CONNECTION_UNFIT' })
})
