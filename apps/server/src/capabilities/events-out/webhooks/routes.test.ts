import { expect, test } from 'vitest'
import { addUser, signInAs, startServer } from '../../../testing/server.ts'

async function anOperator() {
  const server = await startServer()
  const { email } = await addUser(server.deps, 'operator')
  const { headers } = await signInAs(server, email)
  const call = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
  ) => {
    const answer = await server.http.inject({
      method,
      url: `/api/v1/admin${url}`,
      headers,
      ...(payload && { payload }),
    })
    return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() }
  }
  return { ...server, call }
}

const HOOK = {
  name: 'Warehouse',
  url: 'https://warehouse.example/placard',
  eventTypes: ['campaign.state-changed.v1'],
}

test('an endpoint’s secret is shown at its creation, and never again', async () => {
  const { call } = await anOperator()

  const made = await call('POST', '/webhook-endpoints', HOOK)

  expect(made.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
  const read = await call('GET', `/webhook-endpoints/${made.body.id}`)
  expect(read.body).toMatchObject({ ...HOOK, isActive: true, failingSince: null })
  expect(JSON.stringify(read.body)).not.toContain('secret')
})

test('an address with a password in it is refused', async () => {
  const { call } = await anOperator()

  const url = 'https://me:secret@warehouse.example/'
  const { status, body } = await call('POST', '/webhook-endpoints', { ...HOOK, url })

  expect([status, body.code]).toEqual([400, 'WEBHOOK_URL_REFUSED'])
})

test('a deleted endpoint takes its deliveries and its cursors with it', async () => {
  const { call, connection } = await anOperator()
  const { body } = await call('POST', '/webhook-endpoints', HOOK)
  expect((await call('GET', '/webhook-deliveries')).body.items).toMatchObject([
    { webhookEndpointId: body.id, eventType: 'webhook.endpoint-created.v1', status: 'pending' },
  ])

  expect((await call('DELETE', `/webhook-endpoints/${body.id}`)).status).toBe(204)

  expect((await call('GET', '/webhook-deliveries')).body.items).toEqual([])
  const { rows } = await connection.pool.query('select 1 from outbox_cursors')
  expect(rows).toEqual([])
})

test('a replay names what to send again, and leaves out what waits already', async () => {
  const { call, connection } = await anOperator()
  const { body } = await call('POST', '/webhook-endpoints', HOOK)
  const replay = async (what: object) =>
    (await call('POST', `/webhook-endpoints/${body.id}/replay`, what)).body.replayed
  expect(await replay({})).toBe(0)
  await connection.pool.query(
    `update webhook_deliveries set status = 'dead', attempts = 9, finished_at = now()`,
  )

  expect(await replay({ status: 'delivered' })).toBe(0)
  expect(await replay({ eventTypes: ['spend.updated.v1'] })).toBe(0)
  expect(await replay({ from: '2030-01-01T00:00:00Z' })).toBe(0)
  expect(await replay({ status: 'dead', from: '2026-01-01T00:00:00Z' })).toBe(1)

  const { items } = (await call('GET', '/webhook-deliveries?status=pending')).body
  expect(items).toMatchObject([{ attempts: 0 }])
})

test('switching a switched-off endpoint on again clears its failures', async () => {
  const { call, connection } = await anOperator()
  const { body } = await call('POST', '/webhook-endpoints', HOOK)
  await connection.pool.query(
    `update webhook_endpoints set is_active = false, failing_since = now(), rest_reason = 'gone'`,
  )

  const woken = await call('PATCH', `/webhook-endpoints/${body.id}`, { isActive: true })

  expect(woken.body).toMatchObject({ isActive: true, failingSince: null, restReason: null })
})
