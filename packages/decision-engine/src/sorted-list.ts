/** Puts `a` before `b` when negative; never 0 for two different slots. */
export type SlotOrder = (a: number, b: number) => number

const CHUNK_MAX = 512
const CHUNK_FIRST = 4

/**
 * Slots in order, in chunks of at most 512, so that an insert into a list of a hundred thousand
 * moves two kilobytes and not half a megabyte.
 */
export class SortedList {
  readonly chunks: Int32Array[] = []
  readonly sizes: number[] = []
  count = 0

  insert(slot: number, order: SlotOrder): void {
    this.count++
    if (this.chunks.length === 0) {
      this.chunks.push(new Int32Array(CHUNK_FIRST))
      this.sizes.push(0)
    }
    const at = this.chunkFor(slot, order)
    const position = this.positionIn(at, slot, order)
    const chunk = this.roomIn(at)
    chunk.copyWithin(position + 1, position, this.sizes[at])
    chunk[position] = slot
    this.sizes[at]!++
    if (this.sizes[at] === CHUNK_MAX) this.splitChunk(at)
  }

  /** The slot must be listed, at the place where `order` now puts it. */
  remove(slot: number, order: SlotOrder): void {
    const at = this.chunkFor(slot, order)
    const position = this.positionIn(at, slot, order)
    const chunk = this.chunks[at]
    if (chunk === undefined || position >= this.sizes[at]! || chunk[position] !== slot) {
      throw new Error(`slot ${slot} is not listed where its order puts it`)
    }
    chunk.copyWithin(position, position + 1, this.sizes[at])
    this.sizes[at]!--
    this.count--
    if (this.sizes[at] === 0) {
      this.chunks.splice(at, 1)
      this.sizes.splice(at, 1)
    }
  }

  /** Replaces the content; much faster than one insert per slot. */
  replace(slots: Int32Array, order: SlotOrder): void {
    this.clear()
    slots.sort(order)
    this.count = slots.length
    if (slots.length < CHUNK_MAX) {
      if (slots.length > 0) this.pushChunk(slots.slice())
      return
    }
    const step = CHUNK_MAX * 0.75
    for (let start = 0; start < slots.length; start += step) {
      const chunk = new Int32Array(CHUNK_MAX)
      const part = slots.subarray(start, start + step)
      chunk.set(part)
      this.pushChunk(chunk, part.length)
    }
  }

  clear(): void {
    this.chunks.length = 0
    this.sizes.length = 0
    this.count = 0
  }

  toArray(): number[] {
    return this.chunks.flatMap((chunk, at) => Array.from(chunk.subarray(0, this.sizes[at])))
  }

  private pushChunk(chunk: Int32Array, size = chunk.length): void {
    this.chunks.push(chunk)
    this.sizes.push(size)
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

  private positionIn(at: number, slot: number, order: SlotOrder): number {
    const chunk = this.chunks[at]
    if (chunk === undefined) return 0
    let low = 0
    let high = this.sizes[at]!
    while (low < high) {
      const middle = (low + high) >> 1
      const other = chunk[middle]!
      if (other !== slot && order(other, slot) < 0) low = middle + 1
      else high = middle
    }
    return low
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
