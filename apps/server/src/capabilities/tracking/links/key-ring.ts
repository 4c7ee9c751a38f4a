import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

/** The keys of tracking links. Exactly one seals new links; the others only open links. */
export interface KeyRing {
  readonly sealingId: number
  /** Every accepted key by its number, the sealing key included. */
  readonly keys: ReadonlyMap<number, KeyObject>
}

const SECRET_CHARACTERS_MIN = 32
const KEY_ID_MAX = 255

/**
 * Reads `2:<secret>,1:<secret>`: the first key seals, every key is accepted. A new key is rolled out in
 * two steps, so that no node meets a link it cannot open:
 *
 * 1. `1:<old>,2:<new>` on every node: the new key is accepted, the old one still seals;
 * 2. `2:<new>,1:<old>` on every node: the new key seals. Drop the old one when its links have expired.
 */
export function parseKeyRing(text: string): KeyRing {
  const entries = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(parseEntry)
  const keys = new Map(entries.map(({ id, secret }) => [id, keyFrom(secret)]))
  const [sealing] = entries
  if (!sealing) throw new RangeError('a key ring needs at least one key: write "1:<secret>"')
  if (keys.size < entries.length) throw new RangeError('a key ring has two keys of one number')
  return { sealingId: sealing.id, keys }
}

function parseEntry(entry: string): { id: number; secret: string } {
  const [, digits = '', secret = ''] = /^(\d{1,3}):(.+)$/.exec(entry) ?? []
  const id = Number(digits)
  if (digits === '' || id > KEY_ID_MAX) {
    throw new RangeError(`a key is written "<number from 0 to ${KEY_ID_MAX}>:<secret>"`)
  }
  if (secret.length < SECRET_CHARACTERS_MIN) {
    throw new RangeError(`key ${id} is shorter than ${SECRET_CHARACTERS_MIN} characters`)
  }
  return { id, secret }
}

/** A key object, because `node:crypto` imports a bare byte array again on every call. */
const keyFrom = (secret: string): KeyObject =>
  createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', 'placard tracking link', 32)))
