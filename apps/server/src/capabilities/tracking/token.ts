import { createDecipheriv } from 'node:crypto'
import type { Chance } from '../../platform/chance.ts'
import {
  type Claims,
  decodeClaims,
  encodeClaims,
  PAYLOAD_BYTES_MAX,
  type TokenKind,
} from './claims.ts'
import type { KeyRing } from './key-ring.ts'
import { ManySeals, NONCE_BYTES, TAG_BYTES } from './many-seals.ts'

/**
 * A sealed link, in base64url: version and key number in the clear, a nonce, the encrypted claims
 * and a tag that proves all of it (AES-256-GCM).
 */
const VERSION = 1
const CIPHER = 'aes-256-gcm'
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

export function createSealer(ring: KeyRing, chance: Chance, lives = LINK_LIVES): Sealer {
  const lifetimes = lifetimesOf(lives)
  const head = Buffer.of(VERSION, ring.sealingId)
  const key = ring.keys.get(ring.sealingId)!
  const seals = new ManySeals({ key, chance, head, textBytesMax: PAYLOAD_BYTES_MAX })
  /** Used again for every link: sealing is on the path of every decision. */
  const sealed = Buffer.alloc(CLAIMS_AT + PAYLOAD_BYTES_MAX + TAG_BYTES)
  sealed.set(head)

  return {
    seal(claims) {
      const end = seals.seal(encodeClaims(claims), sealed, HEAD_BYTES)
      return sealed.toString('base64url', 0, end)
    },
    open(token, { purpose, nowMs }) {
      const claims = unseal(ring, token)
      if (!claims) return FORGED
      if (!SPEAKS_FOR[claims.kind].has(purpose)) return { verdict: 'other-kind', claims }
      const isOver = nowMs - claims.issuedAtMs > lifetimes[purpose]
      return { verdict: isOver ? 'expired' : 'good', claims }
    },
  }
}

function unseal(ring: KeyRing, token: string): Claims | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length <= CLAIMS_AT + TAG_BYTES || !isOurSpelling(token)) return undefined
  const key = ring.keys.get(bytes[1]!)
  if (bytes[0] !== VERSION || !key) return undefined

  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(HEAD_BYTES, CLAIMS_AT))
  decipher.setAAD(bytes.subarray(0, HEAD_BYTES))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  const shown = decipher.update(bytes.subarray(CLAIMS_AT, -TAG_BYTES))
  try {
    decipher.final()
  } catch {
    return undefined
  }
  return decodeClaims(shown)
}

/** The last characters whose unused bits are zero, by how many characters stand alone at the end. */
const LAST_CHARACTERS = [/^[\w-]+$/, /^(?!)/, /^[\w-]+[AQgw]$/, /^[\w-]+[AEIMQUYcgkosw048]$/]

/** Other spellings of the same bytes are not ours. */
const isOurSpelling = (token: string): boolean => LAST_CHARACTERS[token.length % 4]!.test(token)
