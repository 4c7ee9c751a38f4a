import { DAY_MS } from '@placard/calendar'
import { createRemoteJWKSet, errors, jwtVerify, SignJWT, type JWTPayload } from 'jose'
import { createHash } from 'node:crypto'
import type { Random } from '../../../platform/random.ts'
import type { Clock } from '../../../platform/clock.ts'
import { provesFactor } from '../oidc/claims.ts'

export interface TokenSettings {
  readonly secret: string
  /** Accepted too, while secrets are rotated. */
  readonly otherSecret?: string | undefined
  readonly issuer: string
  readonly audience: string
  readonly accessMinutes: number
  readonly refreshDays: number
  /** A company's own sign-in. Tokens of this issuer are verified against its published keys. */
  readonly external?: {
    readonly issuer: string
    readonly audience: string
    readonly jwksUrl: string
    /** Its tokens count as proof of a second factor, whatever they say of it. */
    readonly trustsFactor: boolean
  }
}

/** The user of a token. `external` users are known by e-mail and have no session here. */
export type TokenSubject =
  | { readonly kind: 'session'; readonly sessionId: string }
  | { readonly kind: 'external'; readonly email: string; readonly hasProvenFactor: boolean }

export interface Tokens {
  issueAccess(sessionId: string): Promise<{ token: string; expiresAt: Date }>
  /** Undefined for a token that is forged, expired or of another issuer. */
  readAccess(token: string): Promise<TokenSubject | undefined>
  newRefresh(): RefreshToken
  /** A token that lets the server recognise the browser at the next sign-in. */
  issueDevice(device: KnownDevice): Promise<string>
  readDevice(token: string): Promise<KnownDevice | undefined>
}

export interface RefreshToken {
  readonly token: string
  readonly hash: Buffer
  readonly expiresAt: Date
}

/** A browser and the last users who signed in with it. */
export interface KnownDevice {
  readonly id: string
  /** Public ids of the users. */
  readonly users: readonly string[]
}

export const DEVICE_DAYS = 180
const DEVICE_AUDIENCE = 'placard device'

/** How a refresh token travels. */
export type Way = 'cookie' | 'body'

/** Issues a short-lived access token and the next refresh token. */
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
  const verifyOwn = ownVerifier(settings, clock)
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
      const own = await verifyOwn(token, settings.audience)
      if (typeof own?.sid === 'string') return { kind: 'session', sessionId: own.sid }
      return external?.(token)
    },

    issueDevice: ({ id, users }) =>
      new SignJWT({ users })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(id)
        .setIssuer(settings.issuer)
        .setAudience(DEVICE_AUDIENCE)
        .setExpirationTime(new Date(clock.now().getTime() + DEVICE_DAYS * DAY_MS))
        .sign(key),

    async readDevice(token) {
      const read = await verifyOwn(token, DEVICE_AUDIENCE)
      return read?.sub ? { id: read.sub, users: read.users as string[] } : undefined
    },

    newRefresh() {
      const token = Buffer.from(random.bytes(32)).toString('base64url')
      const expiresAt = new Date(clock.now().getTime() + settings.refreshDays * DAY_MS)
      return { token, hash: hashSecret(token), expiresAt }
    },
  }
}

/** 256 random bits cannot be guessed, so a fast hash is enough. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

function ownVerifier({ secret, otherSecret, issuer }: TokenSettings, clock: Clock) {
  const keys = [secret, otherSecret]
    .filter((one) => one !== undefined)
    .map((one) => new TextEncoder().encode(one))
  return async (token: string, audience: string): Promise<JWTPayload | undefined> => {
    const options = { algorithms: ['HS256'], issuer, audience, currentDate: clock.now() }
    for (const key of keys) {
      const claims = await verified(() => jwtVerify(token, key, options))
      if (claims) return claims
    }
    return undefined
  }
}

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
    if (typeof claims?.email !== 'string' || claims.email_verified !== true) return undefined
    const hasProvenFactor = settings.trustsFactor || provesFactor(claims, [])
    return { kind: 'external', email: claims.email, hasProvenFactor }
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
