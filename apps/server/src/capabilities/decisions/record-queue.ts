import type { PackedRecord } from './record.ts'

/** What the queue needs to know of a record. */
export type Weighed = Pick<PackedRecord, 'line'>

export interface RecordQueueLimits {
  readonly batchMax: number
  /** Because one record may weigh as much as ten others. */
  readonly bytesMax: number
}

interface Batch<Row> {
  readonly rows: Row[]
  bytes: number
}

/** Rows that wait to be written, already in batches. When it is full the oldest batch is given up. */
export class RecordQueue<Row extends Weighed> {
  private readonly limits: RecordQueueLimits
  private batches: Batch<Row>[] = []
  private bytes = 0
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
      last = { rows: [], bytes: 0 }
      this.batches.push(last)
    }
    last.rows.push(row)
    const bytes = row.line.end - row.line.start
    last.bytes += bytes
    this.bytes += bytes
    this.count++
    return this.bytes > this.limits.bytesMax ? this.take().length : 0
  }

  /** The oldest batch; empty when nothing waits. */
  take(): readonly Row[] {
    const batch = this.batches.shift()
    if (batch === undefined) return []
    this.bytes -= batch.bytes
    this.count -= batch.rows.length
    return batch.rows
  }

  clear(): number {
    const { count } = this
    this.batches = []
    this.bytes = 0
    this.count = 0
    return count
  }
}
