import { CopyLines } from '../../../platform/database/copy-lines.ts'
import { BATCH_ROOM, readSummed, summedOf, writeRecord } from './record-line.ts'
import type { DecisionRecord } from './recorder.ts'
import { AuctionSums } from './statistics.ts'

const ID_LENGTH = 36

/**
 * Records that are written together: their lines and their sums. Cleared and reused after the
 * write.
 */
export class PackedBatch {
  readonly sums = new AuctionSums()
  private readonly lines = new CopyLines()
  private ends: number[] = []

  get size(): number {
    return this.ends.length
  }

  get byteLength(): number {
    return this.lines.byteLength
  }

  add(record: DecisionRecord): void {
    writeRecord(this.lines, record)
    this.ends.push(this.lines.byteLength)
    this.sums.add(summedOf(record))
  }

  /** The lines as sent, each with the batch number. Valid until the batch changes. */
  linesOf(batchId: string): Buffer {
    const number = Buffer.from(batchId.padStart(BATCH_ROOM.length, '0'))
    const bytes = this.lines.between(0, this.byteLength)
    for (let at = 0; at < this.size; at++) bytes.set(number, this.startOf(at))
    return bytes
  }

  lineAt(at: number): string {
    return this.bytesAt(at).toString()
  }

  ids(): string[] {
    return this.ends.map((_, at) => {
      const start = BATCH_ROOM.length + 1
      return this.bytesAt(at).toString('latin1', start, start + ID_LENGTH)
    })
  }

  /**
   * A copy with only the kept records. Used only after a refused write, so it parses the lines
   * again.
   */
  filter(isKept: (at: number) => boolean): PackedBatch {
    const kept = new PackedBatch()
    for (let at = 0; at < this.size; at++) {
      if (!isKept(at)) continue
      kept.lines.copy(this.bytesAt(at))
      kept.ends.push(kept.byteLength)
      kept.sums.add(readSummed(this.lineAt(at)))
    }
    return kept
  }

  clear(): void {
    this.lines.clear()
    this.ends.length = 0
    this.sums.clear()
  }

  private bytesAt(at: number): Buffer {
    return this.lines.between(this.startOf(at), this.ends[at]!)
  }

  private startOf(at: number): number {
    return at === 0 ? 0 : this.ends[at - 1]!
  }
}
