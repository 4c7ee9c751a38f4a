import { BATCH_ROOM, type PackedRecord, readPacked } from './record.ts'
import { AuctionSums } from './statistics.ts'

const FIRST_BYTES = 262_144
/** No character takes more in UTF-8. */
const CHARACTER_BYTES_MAX = 3
const ID_LENGTH = 36

/**
 * Records that are written together: their lines as bytes, and their sums. As texts they would be
 * thousands of small things, which every collection of garbage moves while decisions wait; a batch
 * that was written is emptied and filled again.
 */
export class PackedBatch {
  readonly sums = new AuctionSums()
  private bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  private ends: number[] = []

  get size(): number {
    return this.ends.length
  }

  get byteLength(): number {
    return this.ends.at(-1) ?? 0
  }

  add(record: PackedRecord): void {
    const start = this.byteLength
    this.makeRoom(start + record.line.length * CHARACTER_BYTES_MAX)
    this.ends.push(start + this.bytes.write(record.line, start))
    this.sums.add(record)
  }

  /** The lines as they are sent, each with the number of its batch. Valid until the batch changes. */
  linesOf(batchId: string): Buffer {
    const number = Buffer.from(batchId.padStart(BATCH_ROOM.length, '0'))
    for (let at = 0; at < this.size; at++) this.bytes.set(number, this.startOf(at))
    return this.bytes.subarray(0, this.byteLength)
  }

  lineAt(at: number): string {
    return this.bytes.toString('utf8', this.startOf(at), this.ends[at])
  }

  ids(): string[] {
    return this.ends.map((_, at) => {
      const start = this.startOf(at) + BATCH_ROOM.length + 1
      return this.bytes.toString('latin1', start, start + ID_LENGTH)
    })
  }

  /** The same without some: only where the whole was refused, so the lines are read again. */
  filter(isKept: (at: number) => boolean): PackedBatch {
    const kept = new PackedBatch()
    for (let at = 0; at < this.size; at++) if (isKept(at)) kept.add(readPacked(this.lineAt(at)))
    return kept
  }

  clear(): void {
    this.ends = []
    this.sums.clear()
  }

  private startOf(at: number): number {
    return at === 0 ? 0 : this.ends[at - 1]!
  }

  private makeRoom(bytes: number): void {
    if (bytes <= this.bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(bytes, this.bytes.length * 2))
    this.bytes.copy(grown, 0, 0, this.byteLength)
    this.bytes = grown
  }
}
