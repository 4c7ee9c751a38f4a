import { expect, test } from 'vitest'
import { connectionState, endpointState, keyState } from './states.ts'

const at = {
  nowMs: Date.parse('2026-06-15T12:00:00Z'),
  sayTime: (instant: string) => instant.slice(11, 16),
}
const connection = (given: object = {}) =>
  connectionState({ isActive: true, failingSince: null, restsUntil: null, ...given }, at)

test('a connection that fails says so, even while it is inactive or paused', () => {
  const failing = { failingSince: '2026-06-15T11:00:00Z' }

  expect(connection(failing)).toEqual({ text: 'Failing', tone: 'bad' })
  expect(connection({ ...failing, isActive: false, restsUntil: '2026-06-15T13:00:00Z' }).text).toBe(
    'Failing',
  )
  expect(connection({ isActive: false }).text).toBe('Inactive')
})

test('a connection that the platform has paused says until when, and works again afterwards', () => {
  expect(connection({ restsUntil: '2026-06-15T13:00:00Z' })).toEqual({
    text: 'Paused until 13:00',
    tone: 'neutral',
  })
  expect(connection({ restsUntil: '2026-06-15T12:00:00Z' })).toEqual({
    text: 'Working',
    tone: 'good',
  })
})

test('an endpoint that was switched off is inactive, one that still tries is failing', () => {
  const failingSince = '2026-06-15T11:00:00Z'

  expect(endpointState({ isActive: true, failingSince: null }).text).toBe('Working')
  expect(endpointState({ isActive: true, failingSince }).text).toBe('Failing')
  expect(endpointState({ isActive: false, failingSince }).text).toBe('Inactive')
})

test('a key is valid until it is revoked or its time is over', () => {
  const now = Date.parse('2030-01-01T00:00:00Z')
  const textOf = (revokedAt: string | null, expiresAt: string | null) =>
    keyState({ revokedAt, expiresAt }, now).text

  expect(textOf(null, null)).toBe('Valid')
  expect(textOf(null, '2030-01-01T00:00:01Z')).toBe('Valid')
  expect(textOf(null, '2030-01-01T00:00:00Z')).toBe('Expired')
  expect(textOf('2029-01-01T00:00:00Z', '2031-01-01T00:00:00Z')).toBe('Revoked')
})
