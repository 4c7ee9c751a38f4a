import { createCipheriv, createSecretKey } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '../../../testing/fixed.ts'
import { ShortGcm, NONCE_BYTES } from './short-gcm.ts'

const TEXT_BYTES_MAX = 180

/** One by one, as `node:crypto` does it. */
function sealedByOne(
  text: Uint8Array,
  { key, nonce, head }: Record<'key' | 'nonce' | 'head', Buffer>,
): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(head)
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()])
}

const gcmWith = (key: Buffer, head: Buffer) =>
  new ShortGcm({
    key: createSecretKey(key),
    random: seededRandom(),
    head,
    textBytesMax: TEXT_BYTES_MAX,
  })

function seal(gcm: ShortGcm, text: Uint8Array): Buffer {
  const sealed = Buffer.alloc(300, 0xff)
  return sealed.subarray(3, gcm.seal(text, sealed, 3))
}

test('what is sealed are the bytes of node:crypto, for every key, head and text, and they open again', () => {
  const bytes = (min: number, max: number) =>
    fc.uint8Array({ minLength: min, maxLength: max }).map((array) => Buffer.from(array))
  const texts = fc.array(bytes(0, TEXT_BYTES_MAX), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(bytes(32, 32), bytes(1, 16), texts, (key, head, texts) => {
      const gcm = gcmWith(key, head)
      for (const text of texts) {
        const sealed = seal(gcm, text)
        expect(sealed).toEqual(
          sealedByOne(text, { key, nonce: sealed.subarray(0, NONCE_BYTES), head }),
        )
        expect(gcm.open(sealed, 0)).toEqual(text)
      }
    }),
  )
})

test('no two seals have the same nonce, also where they were not prepared together', () => {
  const gcm = gcmWith(Buffer.alloc(32, 7), Buffer.of(1, 2))
  const nonces = Array.from({ length: 1_000 }, () =>
    seal(gcm, Buffer.of(1)).toString('hex', 0, NONCE_BYTES),
  )

  expect(new Set(nonces).size).toBe(1_000)
})

test('a text that is too long is refused: it would be hidden by what hides the next', () => {
  const gcm = gcmWith(Buffer.alloc(32, 7), Buffer.of(1, 2))

  expect(() => seal(gcm, Buffer.alloc(TEXT_BYTES_MAX + 1))).toThrow(RangeError)
})

test('what node:crypto sealed opens, and nothing that differs from it in a bit or in length', () => {
  const key = Buffer.alloc(32, 9)
  const head = Buffer.of(1, 2)
  const gcm = gcmWith(key, head)
  const text = Buffer.from('an impression of a banner, for one decision')
  const sealed = sealedByOne(text, { key, nonce: Buffer.alloc(NONCE_BYTES, 5), head })

  expect(gcm.open(sealed, 0)).toEqual(text)
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const other = Buffer.from(sealed)
    other[bit >> 3]! ^= 1 << (bit & 7)
    expect(gcm.open(other, 0)).toBeUndefined()
  }
  for (let length = 0; length < sealed.length; length++) {
    expect(gcm.open(sealed.subarray(0, length), 0)).toBeUndefined()
  }
  expect(gcm.open(Buffer.concat([sealed, Buffer.of(0)]), 0)).toBeUndefined()
  expect(gcm.open(Buffer.alloc(1_000), 0)).toBeUndefined()
  expect(gcmWith(key, Buffer.of(1, 3)).open(sealed, 0)).toBeUndefined()
  expect(gcmWith(Buffer.alloc(32, 8), head).open(sealed, 0)).toBeUndefined()
})
