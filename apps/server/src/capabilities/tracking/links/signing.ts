import { createHmac, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { KeyRing } from './key-ring.ts'

const PURPOSE = 'signatures in addresses'
const KEY_BYTES = 32
const NOTHING = new Uint8Array()

/** Signs short texts with keys derived from those of the ring; signatures of all its keys hold. */
export function createSigner({ keys, sealingId }: KeyRing) {
  const derived = new Map([...keys].map(([id, key]) => [id, derive(key)]))
  const signing = derived.get(sealingId)!
  return {
    sign: (text: string): string => macOf(signing, text).toString('base64url'),
    isSigned(text: string, signature: string): boolean {
      const given = Buffer.from(signature, 'base64url')
      return [...derived.values()].some((key) => {
        const mac = macOf(key, text)
        return given.length === mac.length && timingSafeEqual(given, mac)
      })
    },
  }
}

const derive = (key: KeyObject) => Buffer.from(hkdfSync('sha256', key, NOTHING, PURPOSE, KEY_BYTES))

/** 16 of its 32 bytes: an address has little room, and nobody tries 2^128 of them. */
const macOf = (key: Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest().subarray(0, 16)
