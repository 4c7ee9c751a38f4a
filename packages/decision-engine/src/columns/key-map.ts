const EMPTY = -1
const TWO_32 = 4_294_967_296
const LOAD_MAX = 0.8
const GROWTH = 1.4

/**
 * From the caller's keys to slots, in two arrays: a third of what a Map takes, and with a million
 * ads the keys are a part of the memory that counts. Linear probing; a removal closes its gap.
 */
export class KeyMap {
  private keys: Float64Array
  private slots: Int32Array
  size = 0

  constructor(expected = 8) {
    const capacity = Math.ceil(expected / LOAD_MAX) + 8
    this.keys = new Float64Array(capacity)
    this.slots = new Int32Array(capacity).fill(EMPTY)
  }

  get(key: number): number | undefined {
    const slot = this.slots[this.find(key)]!
    return slot === EMPTY ? undefined : slot
  }

  set(key: number, slot: number): void {
    if (this.size + 1 > this.slots.length * LOAD_MAX) this.grow()
    const at = this.find(key)
    if (this.slots[at] === EMPTY) this.size++
    this.keys[at] = key
    this.slots[at] = slot
  }

  delete(key: number): void {
    let gap = this.find(key)
    if (this.slots[gap] === EMPTY) return
    this.size--
    const { length } = this.slots
    for (let at = (gap + 1) % length; this.slots[at] !== EMPTY; at = (at + 1) % length) {
      const home = this.homeOf(this.keys[at]!)
      const isBetween = gap < at ? home > gap && home <= at : home > gap || home <= at
      if (isBetween) continue
      this.keys[gap] = this.keys[at]!
      this.slots[gap] = this.slots[at]!
      gap = at
    }
    this.slots[gap] = EMPTY
  }

  *values(): Generator<number> {
    for (const slot of this.slots) if (slot !== EMPTY) yield slot
  }

  /** Where the key is, or where it would go. */
  private find(key: number): number {
    let at = this.homeOf(key)
    while (this.slots[at] !== EMPTY && this.keys[at] !== key) {
      at = at + 1 === this.slots.length ? 0 : at + 1
    }
    return at
  }

  private homeOf(key: number): number {
    const hash = Math.imul(((key % TWO_32) | 0) ^ (key / TWO_32), 0x9e3779b1) >>> 0
    return Math.floor((hash * this.slots.length) / TWO_32)
  }

  private grow(): void {
    const { keys, slots } = this
    const capacity = Math.ceil(slots.length * GROWTH)
    this.keys = new Float64Array(capacity)
    this.slots = new Int32Array(capacity).fill(EMPTY)
    for (let from = 0; from < slots.length; from++) {
      if (slots[from] === EMPTY) continue
      const at = this.find(keys[from]!)
      this.keys[at] = keys[from]!
      this.slots[at] = slots[from]!
    }
  }
}
