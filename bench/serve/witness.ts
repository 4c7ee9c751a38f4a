import { writeSync } from 'node:fs'

/**
 * Sees what the machine does while something else is measured on the same core: a hundred times a second
 * it asks to be woken and runs a loop that needs nothing but the core's arithmetic. How late it is woken
 * tells that the core was taken away, how long the loop takes tells that it was shared with somebody
 * else's thread. Prints one line of JSON a second until it is ended.
 */
const EVERY_MS = 10
const LOOKS = 100
const bell = new Int32Array(new SharedArrayBuffer(4))
const loopsMs = new Float64Array(LOOKS)
/** What the loop made of itself: without a reader it would be left out. */
let sum = 0

/** Eight chains that do not wait for each other fill a core; one chain would not feel a neighbour. */
function loop(): number {
  let [a, b, c, d, e, f, g, h] = [1, 2, 3, 4, 5, 6, 7, 8]
  for (let turn = 0; turn < 20_000; turn++) {
    a = (a + 1) | 0
    b = (b + 3) | 0
    c = (c + 5) | 0
    d = (d + 7) | 0
    e ^= a
    f ^= b
    g ^= c
    h ^= d
  }
  return e ^ f ^ g ^ h
}

function lookForASecond(): string {
  let lateMs = 0
  for (let look = 0; look < LOOKS; look++) {
    const dueMs = performance.now() + EVERY_MS
    Atomics.wait(bell, 0, 0, EVERY_MS)
    const startMs = performance.now()
    sum ^= loop()
    loopsMs[look] = performance.now() - startMs
    lateMs = Math.max(lateMs, startMs - dueMs)
  }
  const paceMicros = (loopsMs.reduce((sum, loopMs) => sum + loopMs, 0) / LOOKS) * 1_000
  return JSON.stringify({ endMs: Date.now(), paceMicros, lateMs, sum })
}

for (;;) writeSync(1, `${lookForASecond()}\n`)
