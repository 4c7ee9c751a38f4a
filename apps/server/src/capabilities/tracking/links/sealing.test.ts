import { createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { seededRandom } from '../../../testing/fixed.ts'
import { NONCE_BYTES, NonceSequence, open, seal } from './sealing.ts'

const terms = { key: createSecretKey(Buffer.alloc(32, 9)), head: Buffer.of(1, 2) }
const plaintext = Buffer.from('an impression of a banner, for one decision')
const sealed = Buffer.concat(seal(plaintext, Buffer.alloc(NONCE_BYTES, 5), terms))

test('sealed bytes open with the same key and head only', () => {
  const otherKey = { ...terms, key: createSecretKey(Buffer.alloc(32, 8)) }

  expect(open(sealed, terms)).toEqual(plaintext)
  expect(open(sealed, { ...terms, head: Buffer.of(1, 3) })).toBeUndefined()
  expect(open(sealed, otherKey)).toBeUndefined()
})

test('sealed bytes with one changed bit, or of another length, do not open', () => {
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    expect(open(changed, terms)).toBeUndefined()
  }
  for (let length = 0; length < sealed.length; length++) {
    expect(open(sealed.subarray(0, length), terms)).toBeUndefined()
  }
  expect(open(Buffer.concat([sealed, Buffer.of(0)]), terms)).toBeUndefined()
})

test('nonces of one process share a fixed field and never repeat', () => {
  const nonces = new NonceSequence(seededRandom())
  const drawn = Array.from({ length: 1_000 }, () => nonces.next().toString('hex'))

  expect(new Set(drawn).size).toBe(1_000)
  expect(new Set(drawn.map((nonce) => nonce.slice(0, 16))).size).toBe(1)
})

test('a process draws a new fixed field when its counter wraps', () => {
  const nonces = new NonceSequence(seededRandom(), { startAt: 2 ** 32 - 1 })
  const last = nonces.next().toString('hex')
  const first = nonces.next().toString('hex')

  expect([last.slice(16), first.slice(16)]).toEqual(['ffffffff', '00000000'])
  expect(first.slice(0, 16)).not.toBe(last.slice(0, 16))
})
