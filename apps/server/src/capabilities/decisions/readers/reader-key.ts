import { hash, hkdfSync } from 'node:crypto'

/** Keys for different uses come from one secret, and none of them tells another. */
export const deriveKey = (secret: string, use: 'user key' | 'context token'): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', `placard ${use}`, 32))

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const KEY_CHARACTERS = 22

/**
 * A user's key: a keyed hash of the caller's own id, cut to 128 bits. Without the secret nobody finds
 * the id behind it, not even by trying all. A uuid means the same in capitals. The key comes first and
 * the hash shows only half of its state, so nobody can hash on from it; that is as good as HMAC here,
 * in one call instead of four objects, on the path of every decision.
 */
export function userKeyFrom(secret: string): (userId: string) => string {
  const key = Buffer.from(deriveKey(secret, 'user key')).toString('hex')
  return (userId) =>
    hash(
      'sha512-256',
      key + (UUID.test(userId) ? userId.toLowerCase() : userId),
      'base64url',
    ).slice(0, KEY_CHARACTERS)
}
