/**
 * A table of rows in typed arrays. A decision reads candidates in random order, so each costs the cache
 * lines it touches. Columns that a gate reads together share one 64-byte line (hot); the others are in a
 * second buffer (cold). 8-byte columns (`f64`) and 4-byte columns (`i32`) share the bytes of a row.
 * Subclasses name the columns; V8 inlines their accessors.
 */
export class Rows {
  protected f64: Float64Array
  protected i32: Int32Array
  protected coldF64: Float64Array
  protected coldI32: Int32Array
  private readonly width: RowWidth
  /** Number of rows ever used. Some of them may be free again. */
  private count = 0
  private capacity: number
  private readonly free: number[] = []

  constructor(width: RowWidth, capacity: number) {
    this.width = width
    this.capacity = Math.max(1, capacity)
    this.f64 = new Float64Array(this.capacity * width.hot)
    this.i32 = new Int32Array(this.f64.buffer)
    this.coldF64 = new Float64Array(this.capacity * width.cold)
    this.coldI32 = new Int32Array(this.coldF64.buffer)
  }

  /** Returns a row of zeros. */
  take(): number {
    const row = this.free.pop() ?? this.count++
    if (row >= this.capacity) this.grow()
    const { hot, cold } = this.width
    this.f64.fill(0, row * hot, (row + 1) * hot)
    this.coldF64.fill(0, row * cold, (row + 1) * cold)
    return row
  }

  release(row: number): void {
    this.free.push(row)
  }

  private grow(): void {
    this.capacity = Math.max(64, Math.ceil(this.capacity * 1.5))
    this.f64 = larger(this.f64, this.capacity * this.width.hot)
    this.i32 = new Int32Array(this.f64.buffer)
    this.coldF64 = larger(this.coldF64, this.capacity * this.width.cold)
    this.coldI32 = new Int32Array(this.coldF64.buffer)
  }
}

/** In units of 8 bytes. */
interface RowWidth {
  readonly hot: number
  readonly cold: number
}

function larger(columns: Float64Array, length: number): Float64Array {
  const copy = new Float64Array(length)
  copy.set(columns)
  return copy
}
