/** What the geo profile asks of its neighbours; the built-in accounts or services of others. */

export interface Actor {
  readonly type: 'service' | 'user' | 'system'
  readonly id: string
}

export const GEO_PROFILE: Actor = { type: 'service', id: 'geoprofile' }

/** Owns the current declared country. Each call throws while the service cannot answer. */
export interface UserService {
  /** Undefined if it knows no such user. */
  findUser(userId: string): Promise<{ readonly declaredCountry: string | null } | undefined>
  syncDeclaredCountry(sync: CountrySync): Promise<'synced' | 'no-such-user'>
}

export interface CountrySync {
  readonly userId: string
  readonly country: string | null
  readonly reasonCode: string
  readonly actor: Actor
}

/** Owns device sessions. */
export interface SessionService {
  /** To block one that is blocked, over or unknown is no error: it can do no harm any more. */
  blockSession(block: SessionBlock): Promise<void>
  /** To unblock one that is not blocked, or unknown, is no error. */
  unblockSession(unblock: SessionBlock): Promise<void>
}

export interface SessionBlock {
  readonly deviceSessionId: string
  readonly reasonCode: string
  readonly actor: Actor
}
