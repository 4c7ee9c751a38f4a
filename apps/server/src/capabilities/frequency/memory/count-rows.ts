/** Columns of a row of 32 bytes: the key as a double, the rest as integers. */
const KEY = 0
const USER = 2
const KIND = 3
const STAMP = 4
const IMPRESSIONS = 5
const HELD = 6
const NEXT = 7
const COLUMNS = 8

const FIRST_ROWS = 8
const GROWTH = 1.5
/** Highest load of the hash index. */
const LOAD_MAX = 0.7
const TWO_32 = 4_294_967_296

export const NO_ROW = -1

/**
 * Counts per user: one row per user and counted thing, in a hash table with linear probing; a
 * removal closes its gap. The rows of one user form a chain, so that all can be removed at once.
 */
export class CountRows {
  size = 0
  private f64 = new Float64Array((FIRST_ROWS * COLUMNS) / 2)
  private i32 = new Int32Array(this.f64.buffer)
  /** Row + 1, or 0 if empty. */
  private index = new Int32Array(FIRST_ROWS * 2)
  private firstFree = NO_ROW
  private touched = 0

  find(user: number, kind: number, key: number): number {
    return this.index[this.placeOf(user, kind, key)]! - 1
  }

  /** The thing must not have a row yet. */
  add(row: { user: number; kind: number; key: number; next: number }): number {
    if (this.size + 1 > this.index.length * LOAD_MAX) this.growIndex()
    const at = this.take()
    this.f64[at * (COLUMNS / 2) + KEY] = row.key
    this.i32[at * COLUMNS + USER] = row.user
    this.i32[at * COLUMNS + KIND] = row.kind
    this.i32[at * COLUMNS + STAMP] = 0
    this.i32[at * COLUMNS + IMPRESSIONS] = 0
    this.i32[at * COLUMNS + HELD] = 0
    this.i32[at * COLUMNS + NEXT] = row.next
    this.index[this.placeOf(row.user, row.kind, row.key)] = at + 1
    this.size++
    return at
  }

  /** The caller has removed it from its user's chain. */
  remove(row: number): void {
    this.closeGap(this.placeOfRow(row))
    this.i32[row * COLUMNS + NEXT] = this.firstFree
    this.firstFree = row
    this.size--
  }

  kindOf(row: number): number {
    return this.i32[row * COLUMNS + KIND]!
  }

  next(row: number): number {
    return this.i32[row * COLUMNS + NEXT]!
  }

  setNext(row: number, next: number): void {
    this.i32[row * COLUMNS + NEXT] = next
  }

  held(row: number): number {
    return this.i32[row * COLUMNS + HELD]!
  }

  hold(row: number, change: 1 | -1): void {
    this.i32[row * COLUMNS + HELD]! += change
  }

  /** Impressions in the window with this stamp. 0 if the row counts another window. */
  impressions(row: number, stamp: number): number {
    return this.i32[row * COLUMNS + STAMP] === stamp ? this.i32[row * COLUMNS + IMPRESSIONS]! : 0
  }

  setImpressions(row: number, stamp: number, impressions: number): void {
    this.i32[row * COLUMNS + STAMP] = stamp
    this.i32[row * COLUMNS + IMPRESSIONS] = impressions
  }

  get bytes(): number {
    return this.f64.byteLength + this.index.byteLength
  }

  /** The index entry of the thing, or the empty one where it would go. */
  private placeOf(user: number, kind: number, key: number): number {
    const mask = this.index.length - 1
    let place = hashOf(user, kind, key) & mask
    for (;;) {
      const row = this.index[place]! - 1
      if (row === NO_ROW) return place
      const isIt =
        this.f64[row * (COLUMNS / 2) + KEY] === key &&
        this.i32[row * COLUMNS + USER] === user &&
        this.i32[row * COLUMNS + KIND] === kind
      if (isIt) return place
      place = (place + 1) & mask
    }
  }

  private placeOfRow(row: number): number {
    const at = row * COLUMNS
    return this.placeOf(this.i32[at + USER]!, this.i32[at + KIND]!, this.f64[at / 2 + KEY]!)
  }

  private homeOf(row: number): number {
    const at = row * COLUMNS
    const hash = hashOf(this.i32[at + USER]!, this.i32[at + KIND]!, this.f64[at / 2 + KEY]!)
    return hash & (this.index.length - 1)
  }

  private closeGap(place: number): void {
    const { index } = this
    const mask = index.length - 1
    let gap = place
    for (let at = (gap + 1) & mask; index[at] !== 0; at = (at + 1) & mask) {
      const home = this.homeOf(index[at]! - 1)
      const isBetween = ((at - home) & mask) < ((at - gap) & mask)
      if (isBetween) continue
      index[gap] = index[at]!
      gap = at
    }
    index[gap] = 0
  }

  private take(): number {
    const free = this.firstFree
    if (free !== NO_ROW) {
      this.firstFree = this.next(free)
      return free
    }
    if ((this.touched + 1) * COLUMNS > this.i32.length) this.growRows()
    return this.touched++
  }

  private growRows(): void {
    const rows = Math.ceil(this.touched * GROWTH)
    const grown = new Float64Array((rows * COLUMNS) / 2)
    grown.set(this.f64)
    this.f64 = grown
    this.i32 = new Int32Array(grown.buffer)
  }

  private growIndex(): void {
    const old = this.index
    this.index = new Int32Array(old.length * 2)
    const mask = this.index.length - 1
    for (const entry of old) {
      if (entry === 0) continue
      let place = this.homeOf(entry - 1)
      while (this.index[place] !== 0) place = (place + 1) & mask
      this.index[place] = entry
    }
  }
}

function hashOf(user: number, kind: number, key: number): number {
  const high = Math.floor(key / TWO_32)
  let hash = Math.imul(key | 0, 0x9e3779b1) ^ Math.imul(user + kind * 0x1000193, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15) ^ high, 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}
