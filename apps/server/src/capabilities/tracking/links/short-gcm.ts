import { createCipheriv, type KeyObject } from 'node:crypto'
import type { Random } from '../../../platform/random.ts'

export const NONCE_BYTES = 12
export const TAG_BYTES = 16
const BLOCK_BYTES = 16
const DRAWN_BYTES = 8
/** So many texts are prepared by one call of the cipher. */
const PREPARED = 64
const COUNTS = 2 ** 32

export interface GcmTerms {
  readonly key: KeyObject
  readonly random: Random
  /** Proved with every text and sent beside it; at most a block. */
  readonly head: Buffer
  readonly textBytesMax: number
}

/**
 * AES-256-GCM (NIST SP 800-38D) for many short texts under one key: the very bytes of `node:crypto`,
 * where every text costs an object and five calls, more than all else about a link. Here the cipher
 * encrypts the counters of many texts in one call, and those of one to be opened in another; what is
 * left for each is to add them to the text, and the sum that is its tag.
 */
export class ShortGcm {
  private readonly terms: GcmTerms
  private readonly encrypt: (counters: Buffer) => Buffer
  private readonly products: Int32Array
  private readonly sum = new Int32Array(4)
  private readonly sumOfHead: Int32Array
  /** Of each text: a block for its tag, and those for the text itself. */
  private readonly bytesEach: number
  private readonly counters: Buffer
  private masks: Buffer = Buffer.alloc(0)
  private used = 0
  private count = COUNTS
  private readonly openingCounters: Buffer
  private readonly opened: Buffer

  constructor(terms: GcmTerms) {
    this.terms = terms
    const cipher = createCipheriv('aes-256-ecb', terms.key, null).setAutoPadding(false)
    this.encrypt = (counters) => cipher.update(counters)
    this.products = productsWith(this.encrypt(Buffer.alloc(BLOCK_BYTES)))
    this.addToSum(Buffer.concat([terms.head], BLOCK_BYTES), 0, BLOCK_BYTES)
    this.sumOfHead = this.sum.slice()
    this.bytesEach = (1 + Math.ceil(terms.textBytesMax / BLOCK_BYTES)) * BLOCK_BYTES
    this.counters = Buffer.alloc(PREPARED * this.bytesEach)
    for (let at = 0; at < this.counters.length; at += BLOCK_BYTES) {
      this.counters.writeUInt32BE(1 + (at % this.bytesEach) / BLOCK_BYTES, at + NONCE_BYTES)
    }
    this.openingCounters = Buffer.from(this.counters.subarray(0, this.bytesEach))
    this.opened = Buffer.alloc(this.bytesEach)
  }

  /** Writes nonce, hidden text and tag from `at` on; returns where they end. */
  seal(text: Uint8Array, sealed: Buffer, at: number): number {
    const { length } = text
    // Beyond its own masks lie those of the next text: used twice, they would open both.
    if (length > this.terms.textBytesMax)
      throw new RangeError(`${length} bytes are too many to seal`)
    if (this.used === this.masks.length) this.prepare()
    const { masks, counters, used } = this
    this.used += this.bytesEach
    const textAt = at + NONCE_BYTES
    const tagAt = textAt + length
    for (let byte = 0; byte < NONCE_BYTES; byte++) sealed[at + byte] = counters[used + byte]!
    const maskAt = used + BLOCK_BYTES
    for (let byte = 0; byte < length; byte++) {
      sealed[textAt + byte] = text[byte]! ^ masks[maskAt + byte]!
    }
    // The last block counts with zeros after it, and there the tag has room.
    for (let byte = 0; byte < TAG_BYTES; byte++) sealed[tagAt + byte] = 0
    this.sumUp(sealed, textAt, tagAt)
    for (let byte = 0; byte < TAG_BYTES; byte++) {
      sealed[tagAt + byte] = masks[used + byte]! ^ byteOf(this.sum, byte)
    }
    return tagAt + TAG_BYTES
  }

  /**
   * The text of what `seal` has written from `at` to the end; undefined for anything else. The view is
   * valid until the next call.
   */
  open(sealed: Buffer, at: number): Buffer | undefined {
    const textAt = at + NONCE_BYTES
    const tagAt = sealed.length - TAG_BYTES
    const length = tagAt - textAt
    if (length < 0 || length > this.terms.textBytesMax) return undefined
    const { opened } = this
    for (let byte = 0; byte < length; byte++) opened[byte] = sealed[textAt + byte]!
    opened.fill(0, length)
    this.sumUp(opened, 0, length)
    const masks = this.masksFor(sealed, at, length)
    let difference = 0
    for (let byte = 0; byte < TAG_BYTES; byte++) {
      difference |= sealed[tagAt + byte]! ^ masks[byte]! ^ byteOf(this.sum, byte)
    }
    if (difference !== 0) return undefined
    for (let byte = 0; byte < length; byte++) opened[byte]! ^= masks[BLOCK_BYTES + byte]!
    return opened.subarray(0, length)
  }

  private masksFor(sealed: Buffer, nonceAt: number, length: number): Buffer {
    const { openingCounters } = this
    const end = (1 + Math.ceil(length / BLOCK_BYTES)) * BLOCK_BYTES
    for (let at = 0; at < end; at += BLOCK_BYTES) {
      for (let byte = 0; byte < NONCE_BYTES; byte++) {
        openingCounters[at + byte] = sealed[nonceAt + byte]!
      }
    }
    return this.encrypt(openingCounters.subarray(0, end))
  }

  /** GHASH of the head, the hidden text, after which are zeros, and their lengths in bits. */
  private sumUp(bytes: Buffer, start: number, end: number): void {
    const { sum } = this
    sum.set(this.sumOfHead)
    this.addToSum(bytes, start, end)
    sum[1]! ^= this.terms.head.length * 8
    sum[3]! ^= (end - start) * 8
    multiply(sum, this.products)
  }

  private addToSum(bytes: Buffer, start: number, end: number): void {
    const { sum, products } = this
    for (let at = start; at < end; at += BLOCK_BYTES) {
      for (let word = 0; word < 4; word++) sum[word]! ^= wordAt(bytes, at + 4 * word)
      multiply(sum, products)
    }
  }

  /**
   * A nonce is eight drawn bytes and a count: unlike twelve drawn bytes they do not meet by chance
   * after some billions of texts, which would open the cipher.
   */
  private prepare(): void {
    const { counters, bytesEach } = this
    if (this.count === COUNTS) {
      const drawn = this.terms.random.bytes(DRAWN_BYTES)
      for (let at = 0; at < counters.length; at += BLOCK_BYTES) counters.set(drawn, at)
      this.count = 0
    }
    for (let at = 0; at < counters.length; at += BLOCK_BYTES) {
      counters.writeUInt32BE(this.count + Math.floor(at / bytesEach), at + DRAWN_BYTES)
    }
    this.count += PREPARED
    this.masks = this.encrypt(counters)
    this.used = 0
  }
}

const byteOf = (words: Int32Array, byte: number): number =>
  (words[byte >> 2]! >>> (24 - 8 * (byte & 3))) & 0xff

const wordAt = (bytes: Buffer, at: number): number =>
  (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!

const PLACES = 32
const DIGITS = 16

/** What every digit of four bits, in each of its places, is when it is multiplied by the hash key. */
function productsWith(hashKey: Buffer): Int32Array {
  const products = new Int32Array(PLACES * DIGITS * 4)
  let power = [0, 1, 2, 3].map((word) => wordAt(hashKey, 4 * word))
  for (let bit = 0; bit < PLACES * 4; bit++) {
    const place = bit >> 2
    for (let digit = 0; digit < DIGITS; digit++) {
      if ((digit & (8 >> (bit & 3))) === 0) continue
      for (let word = 0; word < 4; word++) {
        products[(place * DIGITS + digit) * 4 + word]! ^= power[word]!
      }
    }
    power = timesX(power)
  }
  return products
}

/** Of the field's polynomial x^128 + x^7 + x^2 + x + 1, with the bits as GCM counts them: the highest is the last. */
const REDUCTION = 0xe100_0000

function timesX([a = 0, b = 0, c = 0, d = 0]: readonly number[]): number[] {
  return [
    (a >>> 1) ^ (d & 1 ? REDUCTION : 0),
    (b >>> 1) | (a << 31),
    (c >>> 1) | (b << 31),
    (d >>> 1) | (c << 31),
  ]
}

/** Multiplies the sum by the hash key, digit by digit. */
function multiply(sum: Int32Array, products: Int32Array): void {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let place = 0
  for (let word = 0; word < 4; word++) {
    const digits = sum[word]!
    for (let shift = 28; shift >= 0; shift -= 4) {
      const at = (place + ((digits >>> shift) & 0xf)) * 4
      a ^= products[at]!
      b ^= products[at + 1]!
      c ^= products[at + 2]!
      d ^= products[at + 3]!
      place += DIGITS
    }
  }
  sum[0] = a
  sum[1] = b
  sum[2] = c
  sum[3] = d
}
