import { hash, hkdfSync } from 'node:crypto'
import { HOUR_MS } from '@placard/calendar'
import { networkOf } from '../../../platform/network.ts'

/** Derives independent keys for different uses from one secret. */
export const deriveKey = (
  secret: string,
  use: 'user key' | 'context token' | 'holder',
): Uint8Array => new Uint8Array(hkdfSync('sha256', secret, '', `placard ${use}`, 32))

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const KEY_CHARACTERS = 22

/**
 * A keyed hash of a caller's own id, cut to 128 bits. Without the secret nobody can find the id, not
 * even by trying all ids. A UUID gives the same key in either case. The secret is hashed first and
 * half of the hash is dropped, which rules out length extension: as good as HMAC here, in one call
 * instead of four objects per decision.
 */
function idKeyFrom(secret: string): (id: string) => string {
  const key = Buffer.from(deriveKey(secret, 'user key')).toString('hex')
  return (id) =>
    hash('sha512-256', key + (UUID.test(id) ? id.toLowerCase() : id), 'base64url').slice(
      0,
      KEY_CHARACTERS,
    )
}

/**
 * The user key: what is stored of a reader. The same id at two publishers gives two keys, and
 * neither shows that it is the other's id too. Migration 0340 computes it in SQL.
 */
export const userKeyAt = (publisherKey: number, idKey: string): string =>
  hash('sha256', `${publisherKey} ${idKey}`, 'base64url').slice(0, KEY_CHARACTERS)

/** The keys under which readers, visits and addresses are stored. Nothing else of them is. */
export interface ReaderKeys {
  /** The key of one publisher's reader. */
  userKeyOf(userId: string, publisherKey: number): string
  /** The keys that this id has at these publishers. */
  userKeysOf(userId: string, publisherKeys: readonly number[]): readonly string[]
  /** The key under which the id was stored before readers were told apart by publisher. */
  oldUserKeyOf(userId: string): string
  sessionKeyOf(sessionId: string): string
  /** Another one in every hour. */
  addressKeyOf(address: string, atMs: number): string
}

export function readerKeysFrom(secret: string): ReaderKeys {
  const idKeyOf = idKeyFrom(secret)
  return {
    userKeyOf: (userId, publisherKey) => userKeyAt(publisherKey, idKeyOf(userId)),
    userKeysOf(userId, publisherKeys) {
      const idKey = idKeyOf(userId)
      return publisherKeys.map((publisherKey) => userKeyAt(publisherKey, idKey))
    },
    oldUserKeyOf: idKeyOf,
    sessionKeyOf: (sessionId) => idKeyOf(`session ${sessionId}`),
    addressKeyOf: (address, atMs) =>
      idKeyOf(`address ${Math.floor(atMs / HOUR_MS)} ${networkOf(address)}`),
  }
}
