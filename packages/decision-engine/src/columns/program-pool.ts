/** The targeting programs of all campaigns in one array: a cache line each instead of an object. */
export class ProgramPool {
  pool = new Int32Array(1024)
  private end = 0
  private garbage = 0

  /** True if more than half of a large pool is garbage. The owner should then compact it. */
  get isWasteful(): boolean {
    return this.end > 65_536 && this.garbage * 2 > this.end
  }

  add(program: readonly number[]): number {
    const start = this.end
    if (start + program.length > this.pool.length) {
      const larger = new Int32Array(Math.max(start + program.length, this.pool.length * 1.5))
      larger.set(this.pool)
      this.pool = larger
    }
    this.pool.set(program, start)
    this.end += program.length
    return start
  }

  drop(length: number): void {
    this.garbage += length
  }

  clear(): void {
    this.end = 0
    this.garbage = 0
  }
}
