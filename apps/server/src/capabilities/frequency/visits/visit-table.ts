import { Fingerprint } from '../memory/fingerprint.ts'
import type { VisitState } from './visits.ts'

/** Columns of a cell. The day is 0 in an empty cell only. */
const HIGH = 0
const LOW = 1
const FIRST = 2
const DAY = 3
const COLUMNS = 4

const CELLS_FIRST = 1_024
const LOAD_MAX = 0.6
/** Of a forgotten reader: no real visit, and not empty, so that the cells behind it are found. */
const FORGOTTEN_DAY = 1

/** Visits by user key: 27 bytes a reader, and nothing for the garbage collector to walk. */
export class VisitTable {
  size = 0
  private cells = new Int32Array(CELLS_FIRST * COLUMNS)
  /** Of the current lookup. */
  private readonly sought = new Fingerprint()

  find(userKey: string): VisitState | undefined {
    const at = this.cellOf(userKey)
    const seenDay = this.cells[at + DAY]!
    if (seenDay <= FORGOTTEN_DAY) return undefined
    return { firstSeconds: this.cells[at + FIRST]! >>> 0, seenDay }
  }

  put(userKey: string, { firstSeconds, seenDay }: VisitState): void {
    if (this.size * COLUMNS >= this.cells.length * LOAD_MAX) this.grow()
    const at = this.cellOf(userKey)
    if (this.cells[at + DAY] === 0) this.size++
    this.cells[at + HIGH] = this.sought.high
    this.cells[at + LOW] = this.sought.low
    this.cells[at + FIRST] = firstSeconds
    this.cells[at + DAY] = seenDay
  }

  forget(userKey: string): void {
    const at = this.cellOf(userKey)
    if (this.cells[at + DAY] === 0) return
    this.cells.fill(0, at, at + COLUMNS)
    this.cells[at + DAY] = FORGOTTEN_DAY
  }

  private cellOf(userKey: string): number {
    this.sought.take(userKey)
    return this.placeOf(this.sought.high, this.sought.low)
  }

  /** The cell of the fingerprint, or the empty one where it would go. */
  private placeOf(high: number, low: number): number {
    const { cells } = this
    const mask = cells.length / COLUMNS - 1
    for (let cell = low & mask; ; cell = (cell + 1) & mask) {
      const at = cell * COLUMNS
      if (cells[at + DAY] === 0) return at
      if (cells[at + LOW] === low && cells[at + HIGH] === high) return at
    }
  }

  /** Twice the cells, without the forgotten ones. */
  private grow(): void {
    const before = this.cells
    this.cells = new Int32Array(before.length * 2)
    this.size = 0
    for (let from = 0; from < before.length; from += COLUMNS) {
      if (before[from + DAY]! <= FORGOTTEN_DAY) continue
      const at = this.placeOf(before[from + HIGH]!, before[from + LOW]!)
      this.cells.set(before.subarray(from, from + COLUMNS), at)
      this.size++
    }
  }
}
