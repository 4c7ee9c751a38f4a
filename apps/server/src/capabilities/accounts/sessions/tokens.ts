import { DAY_MS } from '@placard/calendar'
import { createRemoteJWKSet, errors, jwtVerify, SignJWT, type JWTPayload } from 'jose'
import { createHash } from 'node:crypto'
import type { Random } from '../../../platform/random.ts'
import type { Clock } from '../../../platform/clock.ts'

export interface TokenSettings {
  readonly secret: string
  readonly issuer: string
  readonly audience: string
  readonly accessMinutes: number
  readonly refreshDays: number
  /** A company's own sign-in: tokens of this issuer are verified against its published keys. */
  readonly external?: {
    readonly issuer: string
    readonly audience: string
    readonly jwksUrl: string
  }
}

/** Whom a token speaks for. `external` people are known by e-mail and have no session of ours. */
export type TokenSubject =
  | { readonly kind: 'session'; readonly sessionId: string }
  | { readonly kind: 'external'; readonly email: string }

export interface Tokens {
  issueAccess(sessionId: string): Promise<{ token: string; expiresAt: Date }>
  /** Undefined for a token that is forged, expired or somebody else's. */
  readAccess(token: string): Promise<TokenSubject | undefined>
  newRefresh(): RefreshToken
}

export interface RefreshToken {
  readonly token: string
  readonly hash: Buffer
  readonly expiresAt: Date
}

/** How a refresh token goes between us and whoever keeps it. */
export type Way = 'cookie' | 'body'

/** What a session is used with: a short access token, and the refresh token for the next one. */
export async function issueTokens(tokens: Tokens, sessionId: string, refresh: RefreshToken) {
  const access = await tokens.issueAccess(sessionId)
  return {
    accessToken: access.token,
    accessTokenExpiresAt: access.expiresAt.toISOString(),
    refreshToken: refresh.token,
    refreshTokenExpiresAt: refresh.expiresAt.toISOString(),
    sessionId,
  }
}

export function createTokens(
  settings: TokenSettings,
  { clock, random }: { clock: Clock; random: Random },
): Tokens {
  const key = new TextEncoder().encode(settings.secret)
  const external = settings.external && externalVerifier(settings.external, clock)

  return {
    async issueAccess(sessionId) {
      const now = clock.now()
      const expiresAt = new Date(now.getTime() + settings.accessMinutes * 60_000)
      const token = await new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(settings.issuer)
        .setAudience(settings.audience)
        .setIssuedAt(now)
        .setExpirationTime(expiresAt)
        .sign(key)
      return { token, expiresAt }
    },

    async readAccess(token) {
      const own = await verified(() =>
        jwtVerify(token, key, {
          algorithms: ['HS256'],
          issuer: settings.issuer,
          audience: settings.audience,
          currentDate: clock.now(),
        }),
      )
      if (typeof own?.sid === 'string') return { kind: 'session', sessionId: own.sid }
      return external?.(token)
    },

    newRefresh() {
      const token = Buffer.from(random.bytes(32)).toString('base64url')
      const expiresAt = new Date(clock.now().getTime() + settings.refreshDays * DAY_MS)
      return { token, hash: hashSecret(token), expiresAt }
    },
  }
}

/** Secrets of 256 random bits need no slow hash: they can't be guessed from it. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

function externalVerifier(settings: NonNullable<TokenSettings['external']>, clock: Clock) {
  const keys = createRemoteJWKSet(new URL(settings.jwksUrl), { timeoutDuration: 3_000 })

  return async (token: string): Promise<TokenSubject | undefined> => {
    const claims = await verified(() =>
      jwtVerify(token, keys, {
        algorithms: ['RS256', 'ES256', 'EdDSA', 'PS256'],
        issuer: settings.issuer,
        audience: settings.audience,
        currentDate: clock.now(),
      }),
    )
    if (typeof claims?.email !== 'string' || claims.email_verified === false) return undefined
    return { kind: 'external', email: claims.email }
  }
}

async function verified(
  verify: () => Promise<{ payload: JWTPayload }>,
): Promise<JWTPayload | undefined> {
  try {
    return (await verify()).payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
