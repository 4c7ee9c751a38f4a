import { networkOf } from '../../../platform/network.ts'
import type { Holder } from '../../budgets/index.ts'
import { deriveKey } from './reader-key.ts'

export interface Holders {
  /** Of a reader whom nobody vouches for. A user id is no proof: anybody can make one up. */
  ofAddress(address: string): Holder
  /** Of a reader whom a context token vouches for: its user, or the address that brings it. */
  ofToken(userKey: string | undefined, address: string): Holder
}

/** Numbers of holders. Keyed, so that nobody can look for addresses that share a number. */
export function createHolders(secret: string): Holders {
  const seed = new DataView(deriveKey(secret, 'holder').buffer).getUint32(0)
  const numberOf = (text: string) => numberFrom(seed, text)
  return {
    ofAddress: (address) => ({ number: numberOf(networkOf(address)), isVouched: false }),
    ofToken: (userKey, address) => ({
      number: numberOf(userKey ?? networkOf(address)),
      isVouched: true,
    }),
  }
}

const FNV_PRIME = 0x01000193

/** FNV-1a with a mix at the end, from 1 to 2^31 - 1. */
function numberFrom(seed: number, text: string): number {
  let hash = seed
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 1 || 1
}
