/** Where a line lies among others, as bytes. */
export interface StoredLine {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
}

const PIECE_BYTES = 262_144
/** No character takes more in UTF-8. */
const CHARACTER_BYTES_MAX = 3

/**
 * Lines that wait to be written, many in one piece of memory. As texts they would be thousands of
 * small things, which every collection of garbage moves while decisions wait.
 */
export class LineStore {
  private piece = Buffer.alloc(0)
  private used = 0

  add(line: string): StoredLine {
    const bytesMax = line.length * CHARACTER_BYTES_MAX
    if (this.used + bytesMax > this.piece.length) {
      this.piece = Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, bytesMax))
      this.used = 0
    }
    const start = this.used
    this.used += this.piece.write(line, start)
    return { bytes: this.piece, start, end: this.used }
  }
}

export const textOf = ({ bytes, start, end }: StoredLine): string =>
  bytes.toString('utf8', start, end)

/** The lines one after the other, each with the same beginning. */
export function joinLines(beginning: string, lines: readonly StoredLine[]): Buffer {
  const first = Buffer.from(beginning)
  let size = 0
  for (const { start, end } of lines) size += first.length + end - start
  const joined = Buffer.allocUnsafe(size)
  let at = 0
  for (const { bytes, start, end } of lines) {
    joined.set(first, at)
    at += first.length
    at += bytes.copy(joined, at, start, end)
  }
  return joined
}
