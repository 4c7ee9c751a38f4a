import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { addDeviceSession, addUser } from '../../../testing/server.ts'
import { users } from '../../accounts/tables.ts'
import { performBlocks } from '../guard/operations-blocks.ts'
import { suspectSomebody } from '../guard/testing-suspect.ts'
import { SILENT_OBSERVER } from '../ingest/observer.ts'
import { sessionBlockAction } from '../tables.ts'
import { servicesOf } from '../module.ts'
import { trustDesk } from './testing-desk.ts'

const STOLEN = { reason_code: 'stolen_session' }

/** A block that failed six times. */
async function failedBlock() {
  const desk = await trustDesk()
  const { deps } = desk
  const { publicId: userId } = await addUser(deps, 'advertiser')
  const action = await suspectSomebody(deps, userId)
  await deps.db
    .update(sessionBlockAction)
    .set({ state: 'failed', attempts: 6, lastError: 'auth.example answered 503' })
    .where(eq(sessionBlockAction.publicId, action))
  const decide = (verdict: string) => desk.post(`block-actions/${action}/${verdict}`, STOLEN)
  return { ...desk, userId, action, decide }
}

test('a session unblocked by its device is unblocked in the profile too, in the same person’s name', async () => {
  const desk = await trustDesk()
  const user = await addUser(desk.deps, 'advertiser')
  const sessionId = await addDeviceSession(desk.deps, user)
  const action = await suspectSomebody(desk.deps, user.publicId, sessionId)
  await desk.post(`block-actions/${action}/block`, STOLEN)
  const { sessions } = servicesOf({ ...desk.deps, config: {} })
  await performBlocks({ ...desk.deps, sessions, observer: SILENT_OBSERVER })

  await desk.http.inject({
    method: 'POST',
    url: `/api/v1/admin/sessions/${sessionId}/unblock`,
    headers: desk.headers,
    payload: { reasonCode: 'known_traveller' },
  })

  expect(await desk.get(`users/${user.publicId}/geo-profile`)).toMatchObject({
    block_actions: [{ state: 'unblocked', actor: { type: 'user', id: desk.trustId } }],
    decisions: [{ verdict: 'unblock', reason_code: 'known_traveller' }, { verdict: 'block' }],
  })
})

describe('a failed block action', () => {
  test('a failed block restarts with all its attempts when a person says Block', async () => {
    const { deps, decide } = await failedBlock()

    const answer = await decide('block')

    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ state: 'requested', attempts: 0, last_error: null })
    const blocked: string[] = []
    const sessions = {
      blockSession: async ({ deviceSessionId }: { deviceSessionId: string }) =>
        void blocked.push(deviceSessionId),
      unblockSession: async () => {},
    }
    await performBlocks({ ...deps, sessions, observer: SILENT_OBSERVER })
    expect(blocked).toEqual(['device-session-2'])
  })

  test('a failed block is closed when a person dismisses it', async () => {
    const { decide, get, userId } = await failedBlock()

    expect((await decide('dismiss')).json()).toMatchObject({ state: 'dismissed' })
    expect(await get(`users/${userId}/geo-profile`)).toMatchObject({
      block_actions: [{ state: 'dismissed' }],
      decisions: [{ about: 'session', verdict: 'dismiss' }],
    })
  })

  test('a failed block is replaced by a newer one of the same session', async () => {
    const { deps, decide, userId } = await failedBlock()
    await suspectSomebody(deps, userId)

    for (const verdict of ['block', 'dismiss']) {
      const answer = await decide(verdict)
      expect(answer.statusCode).toBe(409)
      expect(answer.json()).toMatchObject({ code: 'block_action_decided' })
    }
  })
})

describe('a change that the User Service refused', () => {
  test('a refused change is closed by abandoning it, even if the user is gone', async () => {
    const { deps, get, post } = await trustDesk()
    const { publicId: userId } = await addUser(deps, 'advertiser')
    const moved = { country: 'FR', reason_code: 'moved' }
    expect((await post(`users/${userId}/declared-country`, moved)).statusCode).toBe(200)
    const now = deps.clock.now()
    await deps.db.update(users).set({ deletedAt: now }).where(eq(users.publicId, userId))

    const change = await post(`users/${userId}/declared-country`, { ...moved, country: 'GB' })
    const retried = await post(`users/${userId}/declared-country/2/retry`)
    const abandoned = await post(`users/${userId}/declared-country/2/abandon`)

    expect([change.statusCode, retried.statusCode]).toEqual([503, 503])
    expect(abandoned.statusCode).toBe(200)
    expect(abandoned.json()).toMatchObject({ state: 'abandoned' })
    expect(await get(`users/${userId}/geo-profile`)).toMatchObject({ declared_country: 'FR' })
  })
})

test('a session that a person blocks and unblocks by hand is among the decisions, once each, in their name', async () => {
  const desk = await trustDesk()
  const user = await addUser(desk.deps, 'advertiser')
  const sessionId = await addDeviceSession(desk.deps, user)
  const decide = (verdict: string, reasonCode: string) =>
    desk.http.inject({
      method: 'POST',
      url: `/api/v1/admin/sessions/${sessionId}/${verdict}`,
      headers: desk.headers,
      payload: { reasonCode },
    })
  await decide('unblock', 'nothing_to_take_back')
  await decide('block', 'lost_device')
  await decide('block', 'lost_device')
  await decide('unblock', 'found_again')

  const { decisions } = await desk.get(`users/${user.publicId}/geo-profile`)
  const by = { about: 'session', device_session_id: sessionId, actor: { id: desk.trustId } }
  expect(decisions).toMatchObject([
    { ...by, verdict: 'unblock', reason_code: 'found_again' },
    { ...by, verdict: 'block', reason_code: 'lost_device' },
  ])
  expect(decisions).toHaveLength(2)
})
