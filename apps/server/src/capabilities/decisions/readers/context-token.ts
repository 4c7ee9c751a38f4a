import { CONTEXT_TOKEN_LENGTH_MAX } from '@placard/contract/readers'
import { createDecipheriv } from 'node:crypto'
import { EncryptJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../platform/clock.ts'

/** What a publisher's server says about one reader, carried by the reader's browser. */
export interface TokenClaims {
  /** The publisher that says so. */
  readonly publisherKey: number
  readonly userKey?: string | undefined
  /** In the form that `readStatement` reads. */
  readonly said: Readonly<Record<string, unknown>>
}

export interface ContextTokens {
  issue(claims: TokenClaims, lifeSeconds: number): Promise<{ token: string; expiresAt: Date }>
  /** Undefined for a token that is forged, expired or made for something else. */
  read(token: string): TokenClaims | undefined
}

export const TOKEN_SECONDS_MAX = 900
const AUDIENCE = 'placard-context'
const TOKENS_KEPT = 10_000
const CHARACTERS_KEPT = 16_000_000

/**
 * Encrypted, not only signed: the page and its scripts carry it but cannot read it. A token comes
 * with every request of a visit, so opened ones are cached.
 */
export function createContextTokens(key: Uint8Array, clock: Clock): ContextTokens {
  const opened = new LRUCache<string, Opened>({
    max: TOKENS_KEPT,
    maxSize: CHARACTERS_KEPT,
    sizeCalculation: (_, token) => token.length,
  })

  return {
    async issue(claims, lifeSeconds) {
      const now = clock.now()
      const seconds = Math.min(lifeSeconds, TOKEN_SECONDS_MAX)
      const expiresAt = new Date((Math.floor(now.getTime() / 1_000) + seconds) * 1_000)
      const token = await new EncryptJWT({ ...claims })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(AUDIENCE)
        .setIssuedAt(now)
        .setExpirationTime(expiresAt)
        .encrypt(key)
      return { token, expiresAt }
    },

    read(token) {
      if (token.length > CONTEXT_TOKEN_LENGTH_MAX) return undefined
      const found = opened.get(token) ?? open(token, key)
      if (found === undefined) return undefined
      opened.set(token, found)
      return found.expiresMs > clock.now().getTime() ? found.claims : undefined
    },
  }
}

interface Opened {
  readonly claims: TokenClaims
  readonly expiresMs: number
}

/**
 * Decrypts what `EncryptJWT` wrote, synchronously: the library's promise would delay the decision.
 */
function open(token: string, key: Uint8Array): Opened | undefined {
  const payload = parsed(unsealed(token, key))
  if (payload?.aud !== AUDIENCE || typeof payload.exp !== 'number') return undefined
  const { publisherKey, userKey, said = {}, exp } = payload
  // Tokens of the previous release name no publisher; they end within 15 minutes.
  if (publisherKey === undefined) return undefined
  return { claims: { publisherKey, userKey, said }, expiresMs: exp * 1_000 }
}

interface Payload extends Partial<TokenClaims> {
  readonly aud?: unknown
  readonly exp?: unknown
}

const TAG_BYTES = 16

/** A compact JWE (RFC 7516) with a direct key and AES-256-GCM, whose header is authenticated. */
function unsealed(token: string, key: Uint8Array): string | undefined {
  const parts = token.split('.')
  const [header = '', noKey, nonce = '', sealed = '', tag = ''] = parts
  if (parts.length !== 5 || noKey !== '') return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(header, 'ascii'))
    decipher.setAuthTag(Buffer.from(tag, 'base64url'))
    return decipher.update(sealed, 'base64url', 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}

function parsed(text: string | undefined): Payload | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Payload)
}
