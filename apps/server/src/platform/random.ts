import { randomFillSync } from 'node:crypto'

/** Randomness is passed in everywhere, so that a run can be replayed from its seed. */
export interface Random {
  bytes(count: number): Uint8Array
  /** From 0 up to, but not including, 1. */
  draw(): number
}

/** Cryptographically random: fit for keys and tokens. */
export const systemRandom: Random = {
  bytes: storedBytes(4_096),
  draw: () => Math.random(),
}

/** A system call costs more than the bytes, so we fetch many at once and use each one once. */
function storedBytes(size: number): Random['bytes'] {
  const store = new Uint8Array(size)
  let used = size
  return (count) => {
    if (count > size) return randomFillSync(new Uint8Array(count))
    if (used + count > size) {
      randomFillSync(store)
      used = 0
    }
    const given = store.slice(used, used + count)
    store.fill(0, used, used + count)
    used += count
    return given
  }
}
