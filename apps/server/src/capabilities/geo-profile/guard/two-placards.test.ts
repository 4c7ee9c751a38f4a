import { expect, test } from 'vitest'
import { addDeviceSession, addKey, addUser, startServer } from '../../../testing/server.ts'
import { addAccount } from '../../../testing/world.ts'
import { trustDesk } from '../admin/testing-desk.ts'
import { SILENT_OBSERVER } from '../ingest/observer.ts'
import { servicesOf } from '../module.ts'
import { performBlocks } from './operations-blocks.ts'
import { suspectSomebody } from './testing-suspect.ts'

/** One Placard that owns users and sessions, and another that watches them. */
async function twoPlacards() {
  const owner = await startServer()
  const account = await addAccount(owner.deps, 'platform')
  const scopes = ['identity:read', 'identity:write']
  const key = await addKey(owner, { account, scopes })
  const url = await owner.http.listen({ port: 0, host: '127.0.0.1' })
  const settings = {
    USER_SERVICE_URL: url,
    USER_SERVICE_TOKEN: key['x-api-key'],
    SESSION_SERVICE_URL: url,
    SESSION_SERVICE_TOKEN: key['x-api-key'],
  }
  const internal = async (path: string) =>
    (await owner.http.inject({ url: `/api/v1/internal/${path}`, headers: key })).json()
  return { owner, internal, settings, desk: await trustDesk(settings) }
}

test('a second Placard can be the User Service of the first: it answers, and stores a change', async () => {
  const { owner, desk, internal } = await twoPlacards()
  const { publicId } = await addUser(owner.deps, 'advertiser')

  const change = { country: 'FR', reason_code: 'moved' }
  const applied = await desk.post(`users/${publicId}/declared-country`, change)
  const unknown = await desk.post('users/nobody-there/declared-country', change)

  expect(applied.json()).toMatchObject({ state: 'applied', country: 'FR' })
  expect(await internal(`users/${publicId}`)).toMatchObject({ declared_country: 'FR' })
  expect(unknown.json()).toMatchObject({ code: 'subject_not_found' })
  const url = `/api/v1/admin/audit-log?entityId=${publicId}`
  const log = (await desk.http.inject({ url, headers: desk.headers })).json()
  expect(log.items).toMatchObject([{ action: 'geo-country.change', actorId: desk.trustId }])
})

test('a second Placard can be the Session Service of the first: it blocks and unblocks on request', async () => {
  const { owner, desk, internal, settings } = await twoPlacards()
  const user = await addUser(owner.deps, 'advertiser')
  const sessionId = await addDeviceSession(owner.deps, user)
  const action = await suspectSomebody(desk.deps, user.publicId, sessionId)
  const stranger = await suspectSomebody(desk.deps, 'user-elsewhere', 'session-elsewhere')

  for (const id of [action, stranger]) {
    await desk.post(`block-actions/${id}/block`, { reason_code: 'stolen_session' })
  }
  const { sessions } = servicesOf({ ...desk.deps, config: settings })
  await performBlocks({ ...desk.deps, sessions, observer: SILENT_OBSERVER })

  expect(await internal(`sessions/${sessionId}`)).toMatchObject({
    status: 'blocked',
    reason_code: 'multi_country_window',
  })
  const { block_actions } = await desk.get(`users/${user.publicId}/geo-profile`)
  expect(block_actions).toMatchObject([{ state: 'succeeded' }])
  expect(await desk.get('users/user-elsewhere/geo-profile')).toMatchObject({
    block_actions: [{ state: 'succeeded' }],
  })

  for (const id of [action, stranger]) {
    await desk.post(`block-actions/${id}/unblock`, { reason_code: 'confirmed_by_person' })
  }
  await performBlocks({ ...desk.deps, sessions, observer: SILENT_OBSERVER })

  expect(await internal(`sessions/${sessionId}`)).toMatchObject({ status: 'active' })
  for (const userId of [user.publicId, 'user-elsewhere']) {
    expect(await desk.get(`users/${userId}/geo-profile`)).toMatchObject({
      block_actions: [{ state: 'unblocked' }],
      decisions: [{ verdict: 'unblock', reason_code: 'confirmed_by_person' }, { verdict: 'block' }],
    })
  }
})
