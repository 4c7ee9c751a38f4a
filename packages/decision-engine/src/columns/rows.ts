/**
 * Rows of one kind in one buffer. A candidate is met at random, so its cost is the cache lines it
 * touches: what a gate reads together lies together, as 8-byte and 4-byte lanes of the same row.
 */
export class Rows {
  f64: Float64Array
  i32: Int32Array
  readonly lanes: number
  /** Slots ever used; a slot below it may be free. */
  count = 0
  private readonly free: number[] = []

  constructor(lanes: number, capacity: number) {
    this.lanes = lanes
    const buffer = new ArrayBuffer(Math.max(1, capacity) * lanes * 8)
    this.f64 = new Float64Array(buffer)
    this.i32 = new Int32Array(buffer)
  }

  take(): number {
    const slot = this.free.pop() ?? this.count++
    if ((slot + 1) * this.lanes > this.f64.length) this.grow()
    this.f64.fill(0, slot * this.lanes, (slot + 1) * this.lanes)
    return slot
  }

  release(slot: number): void {
    this.free.push(slot)
  }

  private grow(): void {
    const rowsNow = this.f64.length / this.lanes
    const rows = Math.max(64, Math.ceil(rowsNow * 1.5))
    const f64 = new Float64Array(new ArrayBuffer(rows * this.lanes * 8))
    f64.set(this.f64)
    this.f64 = f64
    this.i32 = new Int32Array(f64.buffer)
  }
}
