import { EncryptJWT, errors, jwtDecrypt, type JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../platform/clock.ts'

/** What a publisher's server says of one reader, carried by the reader's own browser. */
export interface TokenClaims {
  readonly userKey?: string | undefined
  /** In the words of `readStatement`. */
  readonly said: Readonly<Record<string, unknown>>
}

export interface ContextTokens {
  issue(claims: TokenClaims, lifeSeconds: number): Promise<{ token: string; expiresAt: Date }>
  /** Undefined for a token that is forged, expired or made for something else. */
  read(token: string): Promise<TokenClaims | undefined> | TokenClaims | undefined
}

export const TOKEN_SECONDS_MAX = 900
const AUDIENCE = 'placard-context'
const TOKENS_KEPT = 10_000
const TOKEN_LENGTH_MAX = 8_192

/**
 * Sealed, not only signed: the page and its scripts carry what they cannot read. A reader's token comes
 * with every request of a visit, so that an opened one is kept until it expires.
 */
export function createContextTokens(key: Uint8Array, clock: Clock): ContextTokens {
  const opened = new LRUCache<string, { claims: TokenClaims; expiresMs: number }>({
    max: TOKENS_KEPT,
  })

  const open = async (token: string): Promise<TokenClaims | undefined> => {
    const payload = await unsealed(token, { key, now: clock.now() })
    if (payload?.exp === undefined) return undefined
    const { userKey, said } = payload as JWTPayload & TokenClaims
    const claims = { userKey, said: said ?? {} }
    opened.set(token, { claims, expiresMs: payload.exp * 1_000 })
    return claims
  }

  return {
    async issue({ userKey, said }, lifeSeconds) {
      const now = clock.now()
      const seconds = Math.min(lifeSeconds, TOKEN_SECONDS_MAX)
      const expiresAt = new Date((Math.floor(now.getTime() / 1_000) + seconds) * 1_000)
      const token = await new EncryptJWT({ userKey, said })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(AUDIENCE)
        .setIssuedAt(now)
        .setExpirationTime(expiresAt)
        .encrypt(key)
      return { token, expiresAt }
    },

    read(token) {
      if (token.length > TOKEN_LENGTH_MAX) return undefined
      const known = opened.get(token)
      if (known === undefined) return open(token)
      return known.expiresMs > clock.now().getTime() ? known.claims : undefined
    },
  }
}

async function unsealed(
  token: string,
  { key, now }: { key: Uint8Array; now: Date },
): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtDecrypt(token, key, {
      audience: AUDIENCE,
      currentDate: now,
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
      maxTokenAge: TOKEN_SECONDS_MAX,
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
