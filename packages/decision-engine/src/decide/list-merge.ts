import type { AuctionLists } from '../columns/auction-lists.ts'

const HEADS_FIRST = 32
/** Most lists never have the best bound. Their chunks, a cache miss each, are read only when they do. */
const NOT_OPENED = -1
export const SCORED_KEPT_MAX = 16

/**
 * The next candidates of the lists that a request merges, and the bids it scores. With a dozen lists, a
 * scan is faster than a heap. All decisions reuse the arrays.
 */
export class ListMerge {
  count = 0
  bounds = new Float64Array(HEADS_FIRST)
  candidates = new Int32Array(HEADS_FIRST)
  /** `BID` of each list. */
  kinds = new Uint8Array(HEADS_FIRST)
  readonly scoredCandidates = new Int32Array(SCORED_KEPT_MAX)
  readonly scoredScores = new Float64Array(SCORED_KEPT_MAX)
  private lists: AuctionLists['lists'] = []
  private numbers = new Int32Array(HEADS_FIRST)
  private readonly chunks: Int32Array[] = []
  private chunkNumbers = new Int32Array(HEADS_FIRST)
  private positions = new Int32Array(HEADS_FIRST)
  private ends = new Int32Array(HEADS_FIRST)

  begin({ lists }: AuctionLists): void {
    this.count = 0
    this.lists = lists
  }

  /** Adds a list that is not empty. `bound`: the most its first candidate can score. */
  push(lists: AuctionLists, list: number, bound: number): void {
    const at = this.count++
    if (at === this.bounds.length) this.grow()
    this.numbers[at] = list
    this.chunkNumbers[at] = 0
    this.positions[at] = 0
    this.ends[at] = NOT_OPENED
    this.kinds[at] = list & 3
    this.candidates[at] = lists.headOf(list)
    this.bounds[at] = bound
  }

  /** Moves one list to its next candidate. False: it has none. */
  advance(at: number): boolean {
    if (this.ends[at] === NOT_OPENED) this.open(at)
    const position = this.positions[at]! + 1
    if (position === this.ends[at]) return this.nextChunk(at)
    this.positions[at] = position
    this.candidates[at] = this.chunks[at]![position]!
    return true
  }

  /** Removes an ended list. The last list takes its place. */
  drop(at: number): void {
    const last = --this.count
    this.numbers[at] = this.numbers[last]!
    if (this.ends[last] !== NOT_OPENED) this.chunks[at] = this.chunks[last]!
    this.chunkNumbers[at] = this.chunkNumbers[last]!
    this.positions[at] = this.positions[last]!
    this.ends[at] = this.ends[last]!
    this.kinds[at] = this.kinds[last]!
    this.candidates[at] = this.candidates[last]!
    this.bounds[at] = this.bounds[last]!
  }

  private open(at: number): void {
    const list = this.lists[this.numbers[at]!]!
    this.chunks[at] = list.chunks[0]!
    this.ends[at] = list.sizes[0]!
  }

  private nextChunk(at: number): boolean {
    const list = this.lists[this.numbers[at]!]!
    const number = this.chunkNumbers[at]! + 1
    if (number >= list.chunks.length) return false
    const chunk = list.chunks[number]!
    this.chunkNumbers[at] = number
    this.chunks[at] = chunk
    this.positions[at] = 0
    this.ends[at] = list.sizes[number]!
    this.candidates[at] = chunk[0]!
    return true
  }

  private grow(): void {
    const size = this.bounds.length * 2
    const bounds = new Float64Array(size)
    bounds.set(this.bounds)
    this.bounds = bounds
    this.candidates = larger(this.candidates, size)
    this.numbers = larger(this.numbers, size)
    this.chunkNumbers = larger(this.chunkNumbers, size)
    this.positions = larger(this.positions, size)
    this.ends = larger(this.ends, size)
    const kinds = new Uint8Array(size)
    kinds.set(this.kinds)
    this.kinds = kinds
  }
}

function larger(numbers: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(size)
  copy.set(numbers)
  return copy
}
