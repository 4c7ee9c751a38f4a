import { createHmac, createSecretKey, hkdfSync } from 'node:crypto'

/** Keys for different uses come from one secret, and none of them tells another. */
export const deriveKey = (secret: string, use: 'user key' | 'context token'): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', `placard ${use}`, 32))

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const KEY_CHARACTERS = 22

/**
 * A user's key: a keyed hash of the caller's own id, cut to 128 bits. Without the secret nobody finds
 * the id behind it, not even by trying all. A uuid means the same in capitals.
 */
export function userKeyFrom(secret: string): (userId: string) => string {
  // As a key object: a bare array is made into one on every call, which takes five times as long.
  const key = createSecretKey(deriveKey(secret, 'user key'))
  return (userId) =>
    createHmac('sha256', key)
      .update(UUID.test(userId) ? userId.toLowerCase() : userId)
      .digest('base64url')
      .slice(0, KEY_CHARACTERS)
}
