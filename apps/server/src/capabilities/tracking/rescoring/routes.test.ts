import { expect, test } from 'vitest'
import { allowed, serverWith } from '../../../testing/http.ts'
import { actorOf } from '../../../testing/world.ts'
import { rescoreRoutes } from './routes.ts'
import { aMarket, countRows } from '../testing.ts'

const ORDER = {
  from: '2026-06-14T00:00:00Z',
  to: '2026-06-15T00:00:00Z',
  label: 'bot',
  note: 'a farm',
  rule: { countryCode: 'DE', sessionIds: ['farm'] },
}

async function aDesk() {
  const market = await aMarket()
  const noKey = async () => 1
  const { http, actAs } = await serverWith(market.deps, (http) =>
    rescoreRoutes(http, {
      ...market.deps,
      getCampaignKey: noKey,
      getSiteKey: noKey,
      getPlacementKey: noKey,
    }),
  )
  actAs(allowed(actorOf({ id: 0n, kind: 'platform' }), 'quality:read', 'quality:write'))
  const url = '/api/v1/admin/tracking/rescores'
  const order = (payload: object, headers = {}) =>
    http.inject({ method: 'POST', url, payload, headers })
  return { ...market, order, list: () => http.inject({ method: 'GET', url }) }
}

test('an order is stored, audited and listed; a repeat under its idempotency key is the same order', async () => {
  const { order, list, pool, deps } = await aDesk()
  const headers = { 'idempotency-key': 'monday' }

  const first = await order(ORDER, headers)
  const second = await order(ORDER, headers)

  expect(first.statusCode).toBe(202)
  expect(second.json()).toEqual(first.json())
  expect(await countRows(pool, 'rescores')).toBe(1)
  expect(deps.audited).toMatchObject([{ action: 'rescore-events', entityId: first.json().id }])
  expect((await list()).json().items).toMatchObject([
    { ...first.json(), label: 'bot', rule: ORDER.rule, events: 0, doneAt: null },
  ])
})

test.each([
  ['ends before it begins', { to: '2026-06-13T00:00:00Z' }],
  ['is longer than 31 days', { from: '2026-05-01T00:00:00Z' }],
  ['is not over', { to: '2026-06-16T00:00:00Z' }],
  ['has no rule', { rule: {} }],
  ['would make events valid', { label: 'valid' }],
])('an order that %s is refused, and nothing is kept', async (_, fault) => {
  const { order, pool } = await aDesk()

  expect((await order({ ...ORDER, ...fault })).statusCode).toBe(400)

  expect(await countRows(pool, 'rescores')).toBe(0)
})
