import type { Random } from './random.ts'
import type { Clock } from './clock.ts'

/** Makes public ids: UUIDv7, in order of creation. */
export interface Ids {
  next(): string
}

export function idsFrom({ clock, random }: { clock: Clock; random: Random }): Ids {
  let lastMs = 0
  let sequence = 0
  let time = timeText(0)

  return {
    next() {
      const nowMs = clock.now().getTime()
      if (nowMs > lastMs) {
        lastMs = nowMs
        time = timeText(nowMs)
        sequence = 0
      } else sequence++
      return time + restText(sequence, random.bytes(16))
    },
  }
}

/** Each byte as two digits. */
export const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** The first 48 bits, shared by all ids of a millisecond. */
function timeText(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-`
}

/** Version, sequence and random bits of RFC 9562. Hand-written because every decision and request needs an id. */
const restText = (sequence: number, random: Uint8Array): string =>
  HEX[0x70 | (sequence >>> 28)]! +
  HEX[(sequence >>> 20) & 0xff]! +
  '-' +
  HEX[0x80 | ((sequence >>> 14) & 0x3f)]! +
  HEX[(sequence >>> 6) & 0xff]! +
  '-' +
  HEX[((sequence << 2) & 0xfc) | (random[10]! & 0x03)]! +
  HEX[random[11]!]! +
  HEX[random[12]!]! +
  HEX[random[13]!]! +
  HEX[random[14]!]! +
  HEX[random[15]!]!
