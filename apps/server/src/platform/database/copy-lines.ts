import { copyField } from './copy.ts'

const FIRST_BYTES = 262_144
/** A UTF-16 unit takes at most 3 bytes in UTF-8. */
const CHARACTER_BYTES_MAX = 3
const DIGITS_MAX = 20
const ZERO = 48
const POINT = 46
const SPACE = 32
const BACKSLASH = 92
const DELETE = 127

/**
 * Lines for COPY, written as bytes into the buffer they are sent from. As strings, each batch would
 * create thousands of small objects only to join and discard them.
 */
export class CopyLines {
  private bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  private end = 0

  get byteLength(): number {
    return this.end
  }

  /** Valid until the next write. */
  between(start: number, end: number): Buffer {
    return this.bytes.subarray(start, end)
  }

  byte(code: number): void {
    this.makeRoom(1)
    this.bytes[this.end++] = code
  }

  /** For ASCII text without characters to escape, which we wrote ourselves. */
  plain(text: string): void {
    const { length } = text
    this.makeRoom(length)
    const { bytes, end } = this
    for (let at = 0; at < length; at++) bytes[end + at] = text.charCodeAt(at)
    this.end = end + length
  }

  /** For text that others may have written. */
  text(text: string): void {
    this.makeRoom(text.length)
    const { bytes, end } = this
    const { length } = text
    for (let at = 0; at < length; at++) {
      const code = text.charCodeAt(at)
      if (code < SPACE || code === BACKSLASH || code >= DELETE) return this.unusual(text)
      bytes[end + at] = code
    }
    this.end = end + length
  }

  copy(lines: Buffer): void {
    this.makeRoom(lines.length)
    this.bytes.set(lines, this.end)
    this.end += lines.length
  }

  number(value: number): void {
    if (value >= 0 && Number.isSafeInteger(value)) this.digits(value, digitsOf(value))
    else this.plain(String(value))
  }

  /**
   * A number with this many decimals, written as two integers: the shortest text of a double is slow to
   * compute, and a record has a dozen of them.
   */
  decimal(value: number, places: number): void {
    const unitsInOne = UNITS_IN_ONE[places]!
    const units = Math.round(value * unitsInOne)
    if (!(units >= 0 && units <= Number.MAX_SAFE_INTEGER)) return this.plain(String(value))
    const whole = Math.floor(units / unitsInOne)
    const rest = units - whole * unitsInOne
    this.digits(whole, digitsOf(whole))
    if (rest === 0) return
    this.bytes[this.end++] = POINT
    this.digits(rest, places)
  }

  clear(): void {
    this.end = 0
  }

  private unusual(text: string): void {
    const field = copyField(text)
    this.makeRoom(field.length * CHARACTER_BYTES_MAX)
    this.end += this.bytes.write(field, this.end)
  }

  /** Writes the last `count` digits; the caller has reserved space for them and the decimal point. */
  private digits(value: number, count: number): void {
    this.makeRoom(DIGITS_MAX)
    const { bytes, end } = this
    let rest = value
    let at = end + count - 1
    // Division beyond 32 bits is slow: do it only for the digits up there.
    for (; rest > 0x7fff_ffff; at--) {
      const next = Math.floor(rest / 10)
      bytes[at] = ZERO + (rest - next * 10)
      rest = next
    }
    for (let small = rest | 0; at >= end; at--) {
      const next = (small / 10) | 0
      bytes[at] = ZERO + (small - next * 10)
      small = next
    }
    this.end = end + count
  }

  private makeRoom(more: number): void {
    const needed = this.end + more
    if (needed <= this.bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2))
    this.bytes.copy(grown, 0, 0, this.end)
    this.bytes = grown
  }
}

const UNITS_IN_ONE = Array.from({ length: 16 }, (_, places) => 10 ** places)

function digitsOf(value: number): number {
  let count = 1
  for (let limit = 10; value >= limit; limit *= 10) count++
  return count
}
