import { DAY_MS, HOUR_MS } from '@placard/calendar'
import type { Random } from '../../../platform/random.ts'
import {
  type Claims,
  decodeClaims,
  encodeClaims,
  PAYLOAD_BYTES_MAX,
  type TokenKind,
} from './claims.ts'
import type { KeyRing } from './key-ring.ts'
import { createSigner } from './signing.ts'
import { NONCE_BYTES, NonceSequence, open, seal, type SealTerms, TAG_BYTES } from './sealing.ts'

/**
 * A token is base64url of: version and key number in the clear, then nonce, encrypted claims and tag
 * (AES-256-GCM). The tag covers the clear bytes too.
 */
const VERSION = 1
const HEAD_BYTES = 2
const SEALED_BYTES_MIN = HEAD_BYTES + NONCE_BYTES + TAG_BYTES
const SEALED_BYTES_MAX = SEALED_BYTES_MIN + PAYLOAD_BYTES_MAX

/**
 * What a token is presented for. For a `named-click` the request names the banner, so any token of
 * the answer will do.
 */
export type Purpose = 'impression' | 'view' | 'progress' | 'click' | 'named-click' | 'conversion'

/** How long a link is billed. The defaults are also the maximum: stored days of events rely on it. */
export interface LinkLives {
  readonly impressionHours: number
  readonly clickDays: number
}
const LINK_LIVES: LinkLives = { impressionHours: 24, clickDays: 30 }

const lifetimesOf = ({ impressionHours, clickDays }: LinkLives): Record<Purpose, number> => ({
  impression: impressionHours * HOUR_MS,
  view: impressionHours * HOUR_MS,
  progress: impressionHours * HOUR_MS,
  click: clickDays * DAY_MS,
  'named-click': clickDays * DAY_MS,
  conversion: clickDays * DAY_MS,
})

const SPEAKS_FOR: Record<TokenKind, ReadonlySet<Purpose>> = {
  impression: new Set<Purpose>(['impression', 'view', 'progress', 'named-click']),
  click: new Set<Purpose>(['click', 'named-click']),
  event: new Set<Purpose>(['impression', 'view', 'progress', 'click', 'named-click']),
  conversion: new Set<Purpose>(['conversion']),
}

export type Opened =
  | { readonly verdict: 'good' | 'expired' | 'other-kind'; readonly claims: Claims }
  | { readonly verdict: 'forged' }

const FORGED: Opened = { verdict: 'forged' }

export interface Sealer {
  seal(claims: Claims): string
  open(token: string, use: { readonly purpose: Purpose; readonly nowMs: number }): Opened
  /** Proves later that a text came from here. */
  sign(text: string): string
  isSigned(text: string, signature: string): boolean
}

export function createSealer(ring: KeyRing, random: Random, lives = LINK_LIVES): Sealer {
  const lifetimes = lifetimesOf(lives)
  const accepted = termsById(ring)
  const sealing = accepted.get(ring.sealingId)!
  const nonces = new NonceSequence(random)

  return {
    seal(claims) {
      const sealed = seal(encodeClaims(claims), nonces.next(), sealing)
      return Buffer.concat([sealing.head, ...sealed]).toString('base64url')
    },
    open(token, { purpose, nowMs }) {
      const claims = openToken(accepted, token)
      if (!claims) return FORGED
      if (!SPEAKS_FOR[claims.kind].has(purpose)) return { verdict: 'other-kind', claims }
      const isOver = nowMs - claims.issuedAtMs > lifetimes[purpose]
      return { verdict: isOver ? 'expired' : 'good', claims }
    },
    ...createSigner(ring),
  }
}

const termsById = ({ keys }: KeyRing): ReadonlyMap<number, SealTerms> =>
  new Map([...keys].map(([id, key]) => [id, { key, head: Buffer.of(VERSION, id) }]))

function openToken(accepted: ReadonlyMap<number, SealTerms>, token: string): Claims | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length <= SEALED_BYTES_MIN || bytes.length > SEALED_BYTES_MAX) return undefined
  if (!isCanonical(token)) return undefined
  const terms = bytes[0] === VERSION ? accepted.get(bytes[1]!) : undefined
  const claims = terms && open(bytes.subarray(HEAD_BYTES), terms)
  return claims && decodeClaims(claims)
}

/** Last characters whose unused bits are zero, by the token's length modulo 4. */
const CANONICAL = [/^[\w-]+$/, /^(?!)/, /^[\w-]+[AQgw]$/, /^[\w-]+[AEIMQUYcgkosw048]$/]

/** The same bytes have several base64url spellings. Only ours is accepted. */
const isCanonical = (token: string): boolean => CANONICAL[token.length % 4]!.test(token)
