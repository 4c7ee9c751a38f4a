import type { SortedList } from './sorted-list.ts'

const HEADS_FIRST = 32

/**
 * The heads of the lists that a request merges. A dozen lists are scanned faster than a heap is
 * kept; the arrays are reused from decision to decision.
 */
export class Walk {
  count = 0
  bounds = new Float64Array(HEADS_FIRST)
  offers = new Int32Array(HEADS_FIRST)
  readonly lists: SortedList[] = []
  chunks = new Int32Array(HEADS_FIRST)
  positions = new Int32Array(HEADS_FIRST)
  isCpc = new Uint8Array(HEADS_FIRST)

  clear(): void {
    this.count = 0
  }

  /** Adds a list that has at least one offer. */
  push(list: SortedList, isCpc: boolean): void {
    const at = this.count++
    if (at === this.bounds.length) this.grow()
    this.lists[at] = list
    this.isCpc[at] = isCpc ? 1 : 0
    this.chunks[at] = 0
    this.positions[at] = 0
    this.offers[at] = list.chunks[0]![0]!
  }

  /** Moves one list to its next offer; false when it has none left. */
  advance(at: number): boolean {
    const list = this.lists[at]!
    let chunk = this.chunks[at]!
    let position = this.positions[at]! + 1
    if (position >= list.sizes[chunk]!) {
      chunk++
      position = 0
      this.chunks[at] = chunk
    }
    this.positions[at] = position
    if (chunk >= list.chunks.length) return false
    this.offers[at] = list.chunks[chunk]![position]!
    return true
  }

  /** Takes an ended list out; the last one takes its place. */
  drop(at: number): void {
    const last = --this.count
    this.lists[at] = this.lists[last]!
    this.isCpc[at] = this.isCpc[last]!
    this.chunks[at] = this.chunks[last]!
    this.positions[at] = this.positions[last]!
    this.offers[at] = this.offers[last]!
    this.bounds[at] = this.bounds[last]!
  }

  private grow(): void {
    const size = this.bounds.length * 2
    const bounds = new Float64Array(size)
    bounds.set(this.bounds)
    this.bounds = bounds
    this.offers = larger(this.offers, size)
    this.chunks = larger(this.chunks, size)
    this.positions = larger(this.positions, size)
    const isCpc = new Uint8Array(size)
    isCpc.set(this.isCpc)
    this.isCpc = isCpc
  }
}

function larger(numbers: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(size)
  copy.set(numbers)
  return copy
}
