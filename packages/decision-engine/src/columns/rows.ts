/**
 * Rows of one kind in one buffer. A candidate is met at random, so its cost is the cache lines it
 * touches: what a gate reads together lies together, as 8-byte and 4-byte columns of the same row.
 */
export class Rows {
  f64: Float64Array
  i32: Int32Array
  readonly width: number
  /** Rows ever used; a row below it may be free. */
  count = 0
  private readonly free: number[] = []

  constructor(width: number, capacity: number) {
    this.width = width
    const buffer = new ArrayBuffer(Math.max(1, capacity) * width * 8)
    this.f64 = new Float64Array(buffer)
    this.i32 = new Int32Array(buffer)
  }

  take(): number {
    const row = this.free.pop() ?? this.count++
    if ((row + 1) * this.width > this.f64.length) this.grow()
    this.f64.fill(0, row * this.width, (row + 1) * this.width)
    return row
  }

  release(row: number): void {
    this.free.push(row)
  }

  private grow(): void {
    const rowsNow = this.f64.length / this.width
    const rows = Math.max(64, Math.ceil(rowsNow * 1.5))
    const f64 = new Float64Array(new ArrayBuffer(rows * this.width * 8))
    f64.set(this.f64)
    this.f64 = f64
    this.i32 = new Int32Array(f64.buffer)
  }
}
