export interface SessionState {
  readonly expiresAt: Date
  readonly revokedAt: Date | null
  readonly blockedAt: Date | null
}

export type SessionVerdict = 'active' | 'revoked' | 'blocked' | 'expired'

/** A block outranks a revocation: it is the reason that the user must see. */
export function judgeSession(session: SessionState, now: Date): SessionVerdict {
  if (session.blockedAt) return 'blocked'
  if (session.revokedAt) return 'revoked'
  return session.expiresAt <= now ? 'expired' : 'active'
}

/** A session that began through an identity provider ends by itself, however often it is refreshed. */
export const endingBy = <Token extends { readonly expiresAt: Date }>(
  token: Token,
  endsAt: Date | null | undefined,
): Token => (endsAt && endsAt < token.expiresAt ? { ...token, expiresAt: endsAt } : token)
