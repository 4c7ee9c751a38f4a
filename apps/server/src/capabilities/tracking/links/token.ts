import type { Random } from '../../../platform/random.ts'
import {
  type Claims,
  decodeClaims,
  encodeClaims,
  PAYLOAD_BYTES_MAX,
  type TokenKind,
} from './claims.ts'
import type { KeyRing } from './key-ring.ts'
import { NONCE_BYTES, ShortGcm, TAG_BYTES } from './short-gcm.ts'

/**
 * A sealed link, in base64url: version and key number in the clear, a nonce, the encrypted claims
 * and a tag that proves all of it (AES-256-GCM).
 */
const VERSION = 1
const HEAD_BYTES = 2
const CLAIMS_AT = HEAD_BYTES + NONCE_BYTES

/** What an event wants a token for. */
export type Purpose = 'impression' | 'view' | 'click' | 'conversion'

const HOUR_MS = 3_600_000

/** How long a link is billed. Never longer than this: days of events are kept and looked for accordingly. */
export interface LinkLives {
  readonly impressionHours: number
  readonly clickDays: number
}
const LINK_LIVES: LinkLives = { impressionHours: 24, clickDays: 30 }

const lifetimesOf = ({ impressionHours, clickDays }: LinkLives): Record<Purpose, number> => ({
  impression: impressionHours * HOUR_MS,
  view: impressionHours * HOUR_MS,
  click: clickDays * 24 * HOUR_MS,
  conversion: clickDays * 24 * HOUR_MS,
})

const SPEAKS_FOR: Record<TokenKind, ReadonlySet<Purpose>> = {
  impression: new Set<Purpose>(['impression', 'view']),
  click: new Set<Purpose>(['click', 'conversion']),
  event: new Set<Purpose>(['impression', 'view', 'click', 'conversion']),
}

export type Opened =
  | { readonly verdict: 'good' | 'expired' | 'other-kind'; readonly claims: Claims }
  | { readonly verdict: 'forged' }

const FORGED: Opened = { verdict: 'forged' }

export interface Sealer {
  seal(claims: Claims): string
  open(token: string, use: { readonly purpose: Purpose; readonly nowMs: number }): Opened
}

export function createSealer(ring: KeyRing, random: Random, lives = LINK_LIVES): Sealer {
  const lifetimes = lifetimesOf(lives)
  const ciphers = ciphersOf(ring, random)
  const cipher = ciphers.get(ring.sealingId)!
  /** Used again for every link: sealing is on the path of every decision. */
  const sealed = Buffer.alloc(CLAIMS_AT + PAYLOAD_BYTES_MAX + TAG_BYTES)
  sealed.set(headOf(ring.sealingId))

  return {
    seal(claims) {
      const end = cipher.seal(encodeClaims(claims), sealed, HEAD_BYTES)
      return sealed.toString('base64url', 0, end)
    },
    open(token, { purpose, nowMs }) {
      const claims = unseal(ciphers, token)
      if (!claims) return FORGED
      if (!SPEAKS_FOR[claims.kind].has(purpose)) return { verdict: 'other-kind', claims }
      const isOver = nowMs - claims.issuedAtMs > lifetimes[purpose]
      return { verdict: isOver ? 'expired' : 'good', claims }
    },
  }
}

const headOf = (keyId: number) => Buffer.of(VERSION, keyId)

const ciphersOf = ({ keys }: KeyRing, random: Random): ReadonlyMap<number, ShortGcm> =>
  new Map(
    [...keys].map(([id, key]) => [
      id,
      new ShortGcm({ key, random, head: headOf(id), textBytesMax: PAYLOAD_BYTES_MAX }),
    ]),
  )

function unseal(ciphers: ReadonlyMap<number, ShortGcm>, token: string): Claims | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length <= CLAIMS_AT + TAG_BYTES || !isOurSpelling(token)) return undefined
  const cipher = bytes[0] === VERSION ? ciphers.get(bytes[1]!) : undefined
  const claims = cipher?.open(bytes, HEAD_BYTES)
  return claims && decodeClaims(claims)
}

/** The last characters whose unused bits are zero, by how many characters stand alone at the end. */
const LAST_CHARACTERS = [/^[\w-]+$/, /^(?!)/, /^[\w-]+[AQgw]$/, /^[\w-]+[AEIMQUYcgkosw048]$/]

/** Other spellings of the same bytes are not ours. */
const isOurSpelling = (token: string): boolean => LAST_CHARACTERS[token.length % 4]!.test(token)
