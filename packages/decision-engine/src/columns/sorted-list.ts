/** Negative: `a` comes before `b`. Never 0 for two different rows. */
export type RowOrder = (a: number, b: number) => number

const CHUNK_MAX = 512
const CHUNK_FIRST = 4
const NO_ROWS = new Int32Array(0)

/**
 * Sorted rows in chunks of at most 512: an insert into a list of 100,000 rows moves 2 KB instead of
 * 400 KB.
 */
export class SortedList {
  /** At least one chunk. A literal, because the first push on an empty array allocates 17 places. */
  chunks: Int32Array[] = [NO_ROWS]
  sizes: number[] = [0]
  count = 0
  /** The best row, which is all that most decisions read. Valid while `count` > 0. */
  first = -1
  /** Position of the row sought last. With a new bid, a row seldom moves far. */
  private gapChunk = 0
  private gap = 0

  insert(row: number, order: RowOrder): void {
    this.count++
    const at = this.chunkFor(row, order)
    const position = this.positionIn(at, row, order)
    const chunk = this.roomIn(at)
    chunk.copyWithin(position + 1, position, this.sizes[at])
    chunk[position] = row
    this.sizes[at]!++
    this.first = this.chunks[0]![0]!
    if (this.sizes[at] === CHUNK_MAX) this.splitChunk(at)
  }

  /** The row must be in the list, at the place that `order` gives it now. */
  remove(row: number, order: RowOrder): void {
    this.seek(row, order)
    this.takeOut()
  }

  /**
   * Finds a row that is about to change its rank. The row must be at its place, as for `remove`. A rank
   * is from 0 (best) to 1. The search starts at the expected rank and returns the real one.
   */
  seek(row: number, order: RowOrder, expected = 0.5): number {
    const at = this.chunkFor(row, order)
    let start = 0
    for (let before = 0; before < at; before++) start += this.sizes[before]!
    this.gapChunk = at
    this.gap = this.findIn(at, row, Math.floor(expected * this.count) - start)
    return (start + this.gap) / this.count
  }

  /** Moves the row sought last to its new place. Most rows do not move. */
  reorder(row: number, order: RowOrder): void {
    if (this.isBetweenNeighbours(row, order)) return
    this.takeOut()
    this.insert(row, order)
  }

  /** Replaces all rows. Much faster than one insert per row. */
  replace(rows: Int32Array, order: RowOrder): void {
    this.clear()
    rows.sort(order)
    this.count = rows.length
    this.first = rows[0] ?? -1
    if (rows.length < CHUNK_MAX) {
      this.chunks = [rows.slice()]
      this.sizes = [rows.length]
      return
    }
    const step = CHUNK_MAX * 0.75
    const parts = Array.from({ length: Math.ceil(rows.length / step) }, (_, at) =>
      rows.subarray(at * step, (at + 1) * step),
    )
    this.sizes = parts.map((part) => part.length)
    this.chunks = parts.map((part) => {
      const chunk = new Int32Array(CHUNK_MAX)
      chunk.set(part)
      return chunk
    })
  }

  clear(): void {
    this.chunks = [NO_ROWS]
    this.sizes = [0]
    this.count = 0
  }

  toArray(): number[] {
    return this.chunks.flatMap((chunk, at) => Array.from(chunk.subarray(0, this.sizes[at])))
  }

  /** The last chunk whose first row is at or before the row. */
  private chunkFor(row: number, order: RowOrder): number {
    let low = 0
    let high = this.chunks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      const first = this.chunks[middle]![0]!
      if (first === row || order(first, row) < 0) low = middle
      else high = middle - 1
    }
    return low
  }

  /** Searches in growing steps from the last position if it is in this chunk, then by halves. */
  private positionIn(at: number, row: number, order: RowOrder): number {
    const chunk = this.chunks[at]!
    let low = 0
    let high = this.sizes[at]!
    const isNearGap = at === this.gapChunk && this.gap < high
    let next = isNearGap ? this.gap : high >> 1
    let step = isNearGap ? 1 : CHUNK_MAX
    while (low < high) {
      const isBefore = order(chunk[next]!, row) < 0
      if (isBefore) low = next + 1
      else high = next
      next = isBefore ? low + step - 1 : high - step
      step *= 2
      if (next < low || next >= high) next = (low + high) >> 1
    }
    return low
  }

  /** Searches for the row's number outward from the guess. Comparing ranks would read rows far apart in memory. */
  private findIn(at: number, row: number, guess: number): number {
    const chunk = this.chunks[at]!
    const size = this.sizes[at]!
    let below = Math.min(Math.max(0, guess), size - 1)
    let above = below + 1
    while (below >= 0 || above < size) {
      if (below >= 0 && chunk[below] === row) return below
      if (above < size && chunk[above] === row) return above
      below--
      above++
    }
    throw new Error(`row ${row} is not listed where its order puts it`)
  }

  private isBetweenNeighbours(row: number, order: RowOrder): boolean {
    const { gap, gapChunk } = this
    const before = gap > 0 ? this.chunks[gapChunk]![gap - 1] : this.lastOf(gapChunk - 1)
    if (before !== undefined && order(before, row) > 0) return false
    const isLast = gap + 1 === this.sizes[gapChunk]
    const after = isLast ? this.chunks[gapChunk + 1]?.[0] : this.chunks[gapChunk]![gap + 1]
    return after === undefined || order(row, after) < 0
  }

  private lastOf(at: number): number | undefined {
    return this.chunks[at]?.[this.sizes[at]! - 1]
  }

  /** Removes the row sought last. */
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
