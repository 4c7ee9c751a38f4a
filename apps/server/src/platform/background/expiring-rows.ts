const NONE = -1
/** An id holds the slot in two digits and its number of earlier uses in three. */
const SLOTS_MAX = 2 ** 24
const FIRST_CAPACITY = 1024
/** Capacity doubles up to here, then jumps to the maximum: copying a million rows would stall
 * requests, and the system hands out untouched memory for free. */
const DOUBLED_BELOW = 65_536
/** Holds use a few fixed lengths. Any further length shares the first queue. */
const QUEUES_MAX = 16

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** Digits to base 4096, two characters each, looked up instead of computed. */
const DIGITS = Array.from({ length: 4096 }, (_, n) => ALPHABET[n >>> 6]! + ALPHABET[n & 63]!)
const LOW = 0xfff
const VALUES = Array.from({ length: 128 }, (_, code) => valueOf(String.fromCharCode(code)))

interface Queue {
  holdMs: number
  first: number
  last: number
}

/**
 * Rows that expire, in typed arrays: opening, finding by id, closing and asking for an expired one
 * cost the same with a million rows as with ten. Holds of one length end in the order they began, so
 * each length has a queue in order of time.
 */
export class ExpiringRows {
  /** Rows allocated so far; arrays kept alongside need the same length. */
  capacity = FIRST_CAPACITY
  size = 0
  private readonly prefix: string
  private readonly rowsMax: number
  private readonly queues: Queue[] = []
  private endsAtMs = new Float64Array(FIRST_CAPACITY)
  private uses = new Int32Array(FIRST_CAPACITY)
  private queueOf = new Int32Array(FIRST_CAPACITY)
  private before = new Int32Array(FIRST_CAPACITY)
  private after = new Int32Array(FIRST_CAPACITY)
  private firstFree = NONE
  private touched = 0

  /** The prefix must be new after each start; otherwise ids from before could name new rows. */
  constructor(options: { readonly prefix: string; readonly rowsMax: number }) {
    if (options.rowsMax > SLOTS_MAX) throw new RangeError(`at most ${SLOTS_MAX} slots`)
    this.prefix = options.prefix
    this.rowsMax = options.rowsMax
  }

  get isFull(): boolean {
    return this.size === this.rowsMax
  }

  get bytes(): number {
    return this.endsAtMs.byteLength + 4 * this.uses.byteLength
  }

  /** A row that ends after `holdMs`, or undefined if all are taken. */
  open(nowMs: number, holdMs: number): number | undefined {
    if (!Number.isSafeInteger(holdMs) || holdMs <= 0) throw new RangeError(`hold of ${holdMs} ms`)
    const slot = this.take()
    if (slot === undefined) return undefined
    this.endsAtMs[slot] = nowMs + holdMs
    this.enqueue(slot, this.queueFor(holdMs))
    this.size++
    return slot
  }

  idOf(slot: number): string {
    const uses = this.uses[slot]!
    return (
      this.prefix +
      DIGITS[slot >>> 12]! +
      DIGITS[slot & LOW]! +
      DIGITS[uses >>> 24]! +
      DIGITS[(uses >>> 12) & LOW]! +
      DIGITS[uses & LOW]!
    )
  }

  /** Undefined when the id is unknown or its slot is closed. */
  find(id: string): number | undefined {
    const start = this.prefix.length
    if (id.length !== start + 10 || !id.startsWith(this.prefix)) return undefined
    const slot = digitAt(id, start) * 4096 + digitAt(id, start + 2)
    // Negated, so that NaN (a character that is no digit) counts as not found.
    if (!(slot < this.touched) || this.queueOf[slot] === NONE) return undefined
    const high = digitAt(id, start + 4) * 4096 + digitAt(id, start + 6)
    return high * 4096 + digitAt(id, start + 8) === this.uses[slot] ? slot : undefined
  }

  hasEnded(slot: number, nowMs: number): boolean {
    return this.endsAtMs[slot]! <= nowMs
  }

  /** One row that has ended and is still open. */
  findEnded(nowMs: number): number | undefined {
    for (const { first } of this.queues) {
      if (first !== NONE && this.endsAtMs[first]! <= nowMs) return first
    }
    return undefined
  }

  /** Moves the end to `holdMs` from now, under the same id. */
  prolong(slot: number, nowMs: number, holdMs: number): void {
    this.dequeue(slot)
    this.endsAtMs[slot] = nowMs + holdMs
    this.enqueue(slot, this.queueFor(holdMs))
  }

  close(slot: number): void {
    this.dequeue(slot)
    this.uses[slot]!++
    this.after[slot] = this.firstFree
    this.firstFree = slot
    this.size--
  }

  private take(): number | undefined {
    const free = this.firstFree
    if (free !== NONE) {
      this.firstFree = this.after[free]!
      return free
    }
    if (this.touched === this.rowsMax) return undefined
    if (this.touched === this.capacity) this.grow()
    return this.touched++
  }

  private queueFor(holdMs: number): number {
    let empty = NONE
    for (let at = 0; at < this.queues.length; at++) {
      const queue = this.queues[at]!
      if (queue.holdMs === holdMs) return at
      if (queue.first === NONE) empty = at
    }
    if (empty !== NONE) {
      this.queues[empty]!.holdMs = holdMs
      return empty
    }
    if (this.queues.length === QUEUES_MAX) return 0
    return this.queues.push({ holdMs, first: NONE, last: NONE }) - 1
  }

  private dequeue(slot: number): void {
    const queue = this.queues[this.queueOf[slot]!]!
    const before = this.before[slot]!
    const after = this.after[slot]!
    if (before === NONE) queue.first = after
    else this.after[before] = after
    if (after === NONE) queue.last = before
    else this.before[after] = before
    this.queueOf[slot] = NONE
  }

  /** Searches from the back: only a clock set back or a shared queue makes it look further. */
  private enqueue(slot: number, number: number): void {
    const queue = this.queues[number]!
    let before = queue.last
    while (before !== NONE && this.endsAtMs[before]! > this.endsAtMs[slot]!) {
      before = this.before[before]!
    }
    const after = before === NONE ? queue.first : this.after[before]!
    this.queueOf[slot] = number
    this.before[slot] = before
    this.after[slot] = after
    if (before === NONE) queue.first = slot
    else this.after[before] = slot
    if (after === NONE) queue.last = slot
    else this.before[after] = slot
  }

  private grow(): void {
    this.capacity = grownCapacity(this.capacity, this.rowsMax)
    this.endsAtMs = grownFloats(this.endsAtMs, this.capacity)
    this.uses = grownInts(this.uses, this.capacity)
    this.queueOf = grownInts(this.queueOf, this.capacity)
    this.before = grownInts(this.before, this.capacity)
    this.after = grownInts(this.after, this.capacity)
  }
}

/** The next capacity, at most `most`. */
export const grownCapacity = (capacity: number, most: number): number =>
  capacity < DOUBLED_BELOW ? Math.min(most, capacity * 2) : most

export function grownInts(old: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(length)
  grown.set(old)
  return grown
}

export function grownFloats(
  old: Float64Array<ArrayBuffer>,
  length: number,
): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(length)
  grown.set(old)
  return grown
}

function valueOf(character: string): number {
  const value = ALPHABET.indexOf(character)
  return value === -1 ? NaN : value
}

/** NaN for a character that is no digit. */
function digitAt(id: string, at: number): number {
  const high = VALUES[id.charCodeAt(at)] ?? NaN
  return high * 64 + (VALUES[id.charCodeAt(at + 1)] ?? NaN)
}
