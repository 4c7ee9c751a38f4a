import { PackedBatch } from './packed-batch.ts'
import type { DecisionRecord } from './recorder.ts'

export interface RecordQueueLimits {
  readonly batchMax: number
  /** A second bound, because one record may weigh as much as ten others. */
  readonly bytesMax: number
}

/**
 * Written batches kept for reuse, about as many as queue up while the database is slow for a
 * second. Each holds 0.5 MB; dropping them would make the garbage collector scan the whole heap.
 */
const SPARE_MAX = 32

/**
 * Records that wait to be written, already in batches. When it is full the oldest batch is dropped.
 */
export class RecordQueue {
  private readonly limits: RecordQueueLimits
  private batches: PackedBatch[] = []
  private readonly spare: PackedBatch[] = []
  private bytes = 0
  private count = 0

  constructor(limits: RecordQueueLimits) {
    this.limits = limits
  }

  get size(): number {
    return this.count
  }

  get hasFullBatch(): boolean {
    return this.batches.length > 1 || this.batches[0]?.size === this.limits.batchMax
  }

  /** Returns the number of older records that were dropped. */
  push(record: DecisionRecord): number {
    let last = this.batches.at(-1)
    if (last === undefined || last.size === this.limits.batchMax) {
      last = this.spare.pop() ?? new PackedBatch()
      this.batches.push(last)
    }
    const before = last.byteLength
    last.add(record)
    this.bytes += last.byteLength - before
    this.count++
    return this.bytes > this.limits.bytesMax ? this.take()!.size : 0
  }

  /** The oldest batch. Undefined if nothing waits. */
  take(): PackedBatch | undefined {
    const batch = this.batches.shift()
    if (batch === undefined) return undefined
    this.bytes -= batch.byteLength
    this.count -= batch.size
    return batch
  }

  /** Takes back a batch that nobody uses any more. */
  giveBack(batch: PackedBatch): void {
    batch.clear()
    if (this.spare.length < SPARE_MAX) this.spare.push(batch)
  }

  clear(): number {
    const { count } = this
    this.batches = []
    this.bytes = 0
    this.count = 0
    return count
  }
}
