const EMPTY = -1
const TWO_32 = 4_294_967_296
const LOAD_MAX = 0.8
const GROWTH = 1.4

/**
 * Maps the caller's keys to rows, in two arrays. Needs a third of the memory of a Map, which matters
 * with a million ads. Linear probing; a removal closes its gap.
 */
export class KeyMap {
  private keys: Float64Array
  private rows: Int32Array
  size = 0

  constructor(expected = 8) {
    const capacity = Math.ceil(expected / LOAD_MAX) + 8
    this.keys = new Float64Array(capacity)
    this.rows = new Int32Array(capacity).fill(EMPTY)
  }

  get(key: number): number | undefined {
    const row = this.rows[this.find(key)]!
    return row === EMPTY ? undefined : row
  }

  set(key: number, row: number): void {
    if (this.size + 1 > this.rows.length * LOAD_MAX) this.grow()
    const at = this.find(key)
    if (this.rows[at] === EMPTY) this.size++
    this.keys[at] = key
    this.rows[at] = row
  }

  delete(key: number): void {
    let gap = this.find(key)
    if (this.rows[gap] === EMPTY) return
    this.size--
    const { length } = this.rows
    for (let at = (gap + 1) % length; this.rows[at] !== EMPTY; at = (at + 1) % length) {
      const home = this.homeOf(this.keys[at]!)
      const isBetween = gap < at ? home > gap && home <= at : home > gap || home <= at
      if (isBetween) continue
      this.keys[gap] = this.keys[at]!
      this.rows[gap] = this.rows[at]!
      gap = at
    }
    this.rows[gap] = EMPTY
  }

  *values(): Generator<number> {
    for (const row of this.rows) if (row !== EMPTY) yield row
  }

  /** The position of the key, or the one it would get. */
  private find(key: number): number {
    let at = this.homeOf(key)
    while (this.rows[at] !== EMPTY && this.keys[at] !== key) {
      at = at + 1 === this.rows.length ? 0 : at + 1
    }
    return at
  }

  private homeOf(key: number): number {
    const hash = Math.imul(((key % TWO_32) | 0) ^ (key / TWO_32), 0x9e3779b1) >>> 0
    return Math.floor((hash * this.rows.length) / TWO_32)
  }

  private grow(): void {
    const { keys, rows } = this
    const capacity = Math.ceil(rows.length * GROWTH)
    this.keys = new Float64Array(capacity)
    this.rows = new Int32Array(capacity).fill(EMPTY)
    for (let from = 0; from < rows.length; from++) {
      if (rows[from] === EMPTY) continue
      const at = this.find(keys[from]!)
      this.keys[at] = keys[from]!
      this.rows[at] = rows[from]!
    }
  }
}
