import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

/** Keys that seal links: the first one seals, all of them open, so that a key can be replaced. */
export interface KeyRing {
  readonly sealingId: number
  readonly keys: ReadonlyMap<number, KeyObject>
}

const SECRET_CHARACTERS_MIN = 32
const KEY_ID_MAX = 255

/**
 * Reads `2:<secret>,1:<secret>`, newest first. To replace a key put a new one in front and leave the
 * old one for as long as its links live.
 */
export function parseKeyRing(text: string): KeyRing {
  const entries = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(parseEntry)
  const keys = new Map(entries.map(({ id, secret }) => [id, keyFrom(secret)]))
  const [first] = entries
  if (!first) throw new RangeError('a key ring needs at least one key: write "1:<secret>"')
  if (keys.size < entries.length) throw new RangeError('a key ring has two keys of one number')
  return { sealingId: first.id, keys }
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

/** As a key object: a bare array is made into one on every call, which takes five times as long. */
const keyFrom = (secret: string): KeyObject =>
  createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', 'placard tracking link', 32)))
