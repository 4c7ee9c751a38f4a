/**
 * 64 bits of a text, as two signed numbers of 32. Among ten million texts, two share a fingerprint
 * with probability 3 in a million. The fields are kept here, because a pair would cost an object.
 */
export class Fingerprint {
  high = 0
  low = 0

  take(text: string): void {
    let high = 0x5bd1e995
    let low = 0x1b873593
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      high = Math.imul(high ^ code, 0x9e3779b1)
      low = Math.imul(low ^ code, 0x5f356495)
    }
    high ^= Math.imul(low ^ (low >>> 15), 0x85ebca6b)
    low ^= Math.imul(high ^ (high >>> 13), 0xc2b2ae35)
    this.high = high | 0
    this.low = low ^ (low >>> 16)
  }
}
