/** Puts `a` before `b` when negative; never 0 for two different slots. */
export type SlotOrder = (a: number, b: number) => number

const CHUNK_MAX = 512
const CHUNK_FIRST = 4
const NO_SLOTS = new Int32Array(0)

/**
 * Slots in order, in chunks of at most 512, so that an insert into a list of a hundred thousand
 * moves two kilobytes and not half a megabyte.
 */
export class SortedList {
  /** At least one; literals, because an array that grows by its first push takes room for 17. */
  chunks: Int32Array[] = [NO_SLOTS]
  sizes: number[] = [0]
  count = 0
  /** The best slot, at hand for a walk that may never need the rest; only while `count` > 0. */
  first = -1
  /** Where a slot was last sought: one that is put back with another bid is seldom far from there. */
  private gapChunk = 0
  private gap = 0

  insert(slot: number, order: SlotOrder): void {
    this.count++
    const at = this.chunkFor(slot, order)
    const position = this.positionIn(at, slot, order)
    const chunk = this.roomIn(at)
    chunk.copyWithin(position + 1, position, this.sizes[at])
    chunk[position] = slot
    this.sizes[at]!++
    this.first = this.chunks[0]![0]!
    if (this.sizes[at] === CHUNK_MAX) this.splitChunk(at)
  }

  /** The slot must be listed, at the place where `order` now puts it. */
  remove(slot: number, order: SlotOrder): void {
    this.seek(slot, order)
    this.takeOut()
  }

  /**
   * Finds a slot that is about to change its rank; the same holds as for `remove`. Ranks are from 0, the
   * best, to 1: one is expected, the true one is returned, and is a good guess at that in another list.
   */
  seek(slot: number, order: SlotOrder, expected = 0.5): number {
    const at = this.chunkFor(slot, order)
    let start = 0
    for (let before = 0; before < at; before++) start += this.sizes[before]!
    this.gapChunk = at
    this.gap = this.findIn(at, slot, Math.floor(expected * this.count) - start)
    return (start + this.gap) / this.count
  }

  /** Moves the slot that was sought to where its new rank puts it: most stay where they are. */
  settle(slot: number, order: SlotOrder): void {
    if (this.isBetweenNeighbours(slot, order)) return
    this.takeOut()
    this.insert(slot, order)
  }

  /** Replaces the content; much faster than one insert per slot. */
  replace(slots: Int32Array, order: SlotOrder): void {
    this.clear()
    slots.sort(order)
    this.count = slots.length
    this.first = slots[0] ?? -1
    if (slots.length < CHUNK_MAX) {
      this.chunks = [slots.slice()]
      this.sizes = [slots.length]
      return
    }
    const step = CHUNK_MAX * 0.75
    const parts = Array.from({ length: Math.ceil(slots.length / step) }, (_, at) =>
      slots.subarray(at * step, (at + 1) * step),
    )
    this.sizes = parts.map((part) => part.length)
    this.chunks = parts.map((part) => {
      const chunk = new Int32Array(CHUNK_MAX)
      chunk.set(part)
      return chunk
    })
  }

  clear(): void {
    this.chunks = [NO_SLOTS]
    this.sizes = [0]
    this.count = 0
  }

  toArray(): number[] {
    return this.chunks.flatMap((chunk, at) => Array.from(chunk.subarray(0, this.sizes[at])))
  }

  /** The last chunk that begins at or before the slot. */
  private chunkFor(slot: number, order: SlotOrder): number {
    let low = 0
    let high = this.chunks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      const first = this.chunks[middle]![0]!
      if (first === slot || order(first, slot) < 0) low = middle
      else high = middle - 1
    }
    return low
  }

  /** In growing steps from the gap, where that is in the chunk; else, and from where it has gone too far, by halves. */
  private positionIn(at: number, slot: number, order: SlotOrder): number {
    const chunk = this.chunks[at]!
    let low = 0
    let high = this.sizes[at]!
    const isNearGap = at === this.gapChunk && this.gap < high
    let next = isNearGap ? this.gap : high >> 1
    let step = isNearGap ? 1 : CHUNK_MAX
    while (low < high) {
      const isBefore = order(chunk[next]!, slot) < 0
      if (isBefore) low = next + 1
      else high = next
      next = isBefore ? low + step - 1 : high - step
      step *= 2
      if (next < low || next >= high) next = (low + high) >> 1
    }
    return low
  }

  /** By its number, ever further from the guess: the rows of those it would be compared with are far apart in memory. */
  private findIn(at: number, slot: number, guess: number): number {
    const chunk = this.chunks[at]!
    const size = this.sizes[at]!
    let below = Math.min(Math.max(0, guess), size - 1)
    let above = below + 1
    while (below >= 0 || above < size) {
      if (below >= 0 && chunk[below] === slot) return below
      if (above < size && chunk[above] === slot) return above
      below--
      above++
    }
    throw new Error(`slot ${slot} is not listed where its order puts it`)
  }

  private isBetweenNeighbours(slot: number, order: SlotOrder): boolean {
    const { gap, gapChunk } = this
    const before = gap > 0 ? this.chunks[gapChunk]![gap - 1] : this.lastOf(gapChunk - 1)
    if (before !== undefined && order(before, slot) > 0) return false
    const isLast = gap + 1 === this.sizes[gapChunk]
    const after = isLast ? this.chunks[gapChunk + 1]?.[0] : this.chunks[gapChunk]![gap + 1]
    return after === undefined || order(slot, after) < 0
  }

  private lastOf(at: number): number | undefined {
    return this.chunks[at]?.[this.sizes[at]! - 1]
  }

  /** The slot in the gap. */
  private takeOut(): void {
    const at = this.gapChunk
    this.chunks[at]!.copyWithin(this.gap, this.gap + 1, this.sizes[at])
    this.sizes[at]!--
    this.count--
    if (this.sizes[at] === 0 && this.chunks.length > 1) {
      this.chunks.splice(at, 1)
      this.sizes.splice(at, 1)
    }
    this.first = this.chunks[0]![0]!
  }

  private roomIn(at: number): Int32Array {
    const chunk = this.chunks[at]!
    if (this.sizes[at]! < chunk.length) return chunk

    const larger = new Int32Array(Math.min(CHUNK_MAX, Math.max(CHUNK_FIRST, chunk.length * 2)))
    larger.set(chunk)
    this.chunks[at] = larger
    return larger
  }

  private splitChunk(at: number): void {
    const half = CHUNK_MAX / 2
    const right = new Int32Array(CHUNK_MAX)
    right.set(this.chunks[at]!.subarray(half))
    this.sizes[at] = half
    this.chunks.splice(at + 1, 0, right)
    this.sizes.splice(at + 1, 0, half)
  }
}
