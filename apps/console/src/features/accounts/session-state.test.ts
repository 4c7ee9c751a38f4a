import { expect, test } from 'vitest'
import { sessionState } from './session-state.ts'

const NOW = '2026-06-15T12:00:00Z'
const session = (given: object = {}) => ({
  id: 's1',
  revokedAt: null,
  blockedAt: null,
  expiresAt: '2026-06-16T12:00:00Z',
  ...given,
})
const stateOf = (given: object = {}, currentId?: string) =>
  sessionState(session(given), { nowMs: Date.parse(NOW), currentId })

test.each([
  ['Active', {}, ['revoke', 'block']],
  ['Expired', { expiresAt: '2026-06-15T11:59:59Z' }, []],
  ['Signed out', { revokedAt: NOW }, []],
  ['Blocked', { blockedAt: NOW }, ['unblock']],
  ['Blocked', { blockedAt: NOW, revokedAt: NOW }, ['unblock']],
] as const)('a session reads "%s" for %j and offers %j', (text, given, actions) => {
  expect(stateOf(given)).toMatchObject({ text, actions })
})

test('the reader’s own session is named as this device', () => {
  expect(stateOf({}, 's1').text).toBe('This device')
  expect(stateOf({}, 's2').text).toBe('Active')
})
