export interface RecordQueueLimits {
  readonly batchMax: number
  /** In characters, because one record may weigh as much as ten others. */
  readonly charactersMax: number
}

interface Batch {
  readonly rows: string[]
  characters: number
}

/** Rows that wait to be written, already in batches. When it is full the oldest batch is given up. */
export class RecordQueue {
  private readonly limits: RecordQueueLimits
  private batches: Batch[] = []
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
  push(row: string): number {
    let last = this.batches.at(-1)
    if (last === undefined || last.rows.length === this.limits.batchMax) {
      last = { rows: [], characters: 0 }
      this.batches.push(last)
    }
    last.rows.push(row)
    last.characters += row.length
    this.characters += row.length
    this.count++
    return this.characters > this.limits.charactersMax ? this.take().length : 0
  }

  /** The oldest batch; empty when nothing waits. */
  take(): readonly string[] {
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
