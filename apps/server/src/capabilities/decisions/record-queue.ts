import type { PackedRecord } from './record.ts'

/** What the queue needs to know of a record. */
export type Weighed = Pick<PackedRecord, 'line'>

export interface RecordQueueLimits {
  readonly batchMax: number
  /** In characters, because one record may weigh as much as ten others. */
  readonly charactersMax: number
}

interface Batch<Row> {
  readonly rows: Row[]
  characters: number
}

/** Rows that wait to be written, already in batches. When it is full the oldest batch is given up. */
export class RecordQueue<Row extends Weighed> {
  private readonly limits: RecordQueueLimits
  private batches: Batch<Row>[] = []
  private characters = 0
  private count = 0

  constructor(limits: RecordQueueLimits) {
    this.limits = limits
  }

  get size(): number {
    return this.count
  }

  get hasFullBatch(): boolean {
    return this.batches.length > 1 || this.batches[0]?.rows.length === this.limits.batchMax
  }

  /** Returns how many older rows had to go. */
  push(row: Row): number {
    let last = this.batches.at(-1)
    if (last === undefined || last.rows.length === this.limits.batchMax) {
      last = { rows: [], characters: 0 }
      this.batches.push(last)
    }
    last.rows.push(row)
    last.characters += row.line.length
    this.characters += row.line.length
    this.count++
    return this.characters > this.limits.charactersMax ? this.take().length : 0
  }

  /** The oldest batch; empty when nothing waits. */
  take(): readonly Row[] {
    const batch = this.batches.shift()
    if (batch === undefined) return []
    this.characters -= batch.characters
    this.count -= batch.rows.length
    return batch.rows
  }

  clear(): number {
    const { count } = this
    this.batches = []
    this.characters = 0
    this.count = 0
    return count
  }
}
