import { createCipheriv, createSecretKey } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededChance } from '../../testing/fixed.ts'
import { ManySeals, NONCE_BYTES } from './many-seals.ts'

const TEXT_BYTES_MAX = 180

/** One by one, as `node:crypto` does it. */
function sealedByOne(key: Buffer, nonce: Buffer, head: Buffer, text: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(head)
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()])
}

const sealsWith = (key: Buffer, head: Buffer) =>
  new ManySeals({
    key: createSecretKey(key),
    chance: seededChance(),
    head,
    textBytesMax: TEXT_BYTES_MAX,
  })

function seal(seals: ManySeals, text: Uint8Array): Buffer {
  const sealed = Buffer.alloc(300, 0xff)
  return sealed.subarray(3, seals.seal(text, sealed, 3))
}

test('many seals are the same bytes as those of node:crypto, for every key, head and text', () => {
  const bytes = (min: number, max: number) =>
    fc.uint8Array({ minLength: min, maxLength: max }).map((array) => Buffer.from(array))
  const texts = fc.array(bytes(0, TEXT_BYTES_MAX), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(bytes(32, 32), bytes(1, 16), texts, (key, head, texts) => {
      const seals = sealsWith(key, head)
      for (const text of texts) {
        const sealed = seal(seals, text)
        expect(sealed).toEqual(sealedByOne(key, sealed.subarray(0, NONCE_BYTES), head, text))
      }
    }),
  )
})

test('no two seals have the same nonce, also where they were not prepared together', () => {
  const seals = sealsWith(Buffer.alloc(32, 7), Buffer.of(1, 2))
  const nonces = Array.from({ length: 1_000 }, () =>
    seal(seals, Buffer.of(1)).toString('hex', 0, NONCE_BYTES),
  )

  expect(new Set(nonces).size).toBe(1_000)
})

test('a text that is too long is refused: it would be hidden by what hides the next', () => {
  const seals = sealsWith(Buffer.alloc(32, 7), Buffer.of(1, 2))

  expect(() => seal(seals, Buffer.alloc(TEXT_BYTES_MAX + 1))).toThrow(RangeError)
})
