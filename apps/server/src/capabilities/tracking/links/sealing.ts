import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto'
import type { Random } from '../../../platform/random.ts'

export const NONCE_BYTES = 12
export const TAG_BYTES = 16
const ALGORITHM = 'aes-256-gcm'
const OPTIONS = { authTagLength: TAG_BYTES }

/**
 * Nonces by the deterministic construction of NIST SP 800-38D, 8.2.1: a fixed field of 8 bytes, drawn
 * at random by each process, and a counter of 4 bytes. When the counter wraps, the process draws a new
 * fixed field. A nonce repeats only if two fixed fields are equal: with n of them drawn under one key
 * the probability is below n² / 2⁶⁵, which is 3 in 10⁸ for a million process starts.
 */
export class NonceSequence {
  private readonly random: Random
  private readonly nonce = Buffer.alloc(NONCE_BYTES)
  private count = COUNTER_END

  constructor(random: Random, { startAt = COUNTER_END } = {}) {
    this.random = random
    if (startAt < COUNTER_END) this.drawFixedField()
    this.count = startAt
  }

  /** The view is valid until the next call. */
  next(): Buffer {
    if (this.count === COUNTER_END) {
      this.drawFixedField()
      this.count = 0
    }
    this.nonce.writeUInt32BE(this.count++, FIXED_BYTES)
    return this.nonce
  }

  private drawFixedField(): void {
    this.nonce.set(this.random.bytes(FIXED_BYTES))
  }
}

const FIXED_BYTES = 8
const COUNTER_END = 2 ** 32

/** Key and clear head of a link. The head is authenticated, not encrypted. */
export interface SealTerms {
  readonly key: KeyObject
  readonly head: Buffer
}

/** Returns nonce, ciphertext and tag. */
export function seal(plaintext: Buffer, nonce: Buffer, { key, head }: SealTerms): Buffer[] {
  const cipher = createCipheriv(ALGORITHM, key, nonce, OPTIONS)
  cipher.setAAD(head)
  const ciphertext = cipher.update(plaintext)
  // GCM is a stream mode: `final` adds no bytes, it only computes the tag.
  cipher.final()
  return [nonce, ciphertext, cipher.getAuthTag()]
}

/** Opens nonce, ciphertext and tag; undefined unless key, head and every byte are authentic. */
export function open(sealed: Buffer, { key, head }: SealTerms): Buffer | undefined {
  const tagAt = sealed.length - TAG_BYTES
  if (tagAt < NONCE_BYTES) return undefined
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), OPTIONS)
  decipher.setAAD(head)
  decipher.setAuthTag(sealed.subarray(tagAt))
  const plaintext = decipher.update(sealed.subarray(NONCE_BYTES, tagAt))
  try {
    decipher.final()
    return plaintext
  } catch {
    return undefined
  }
}
