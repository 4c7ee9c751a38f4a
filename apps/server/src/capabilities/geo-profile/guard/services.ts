/** What the geo profile needs of external services: the built-in accounts, or other systems. */

export interface Actor {
  readonly type: 'service' | 'user' | 'system'
  readonly id: string
}

export const GEO_PROFILE: Actor = { type: 'service', id: 'geoprofile' }

/** Owns the current declared country. A call throws while the service is unavailable. */
export interface UserService {
  /** Undefined if the user is unknown. */
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
  /** Blocking a session that is blocked, over or unknown is no error: it can do no harm. */
  blockSession(block: SessionBlock): Promise<void>
  /** Unblocking a session that is not blocked, or unknown, is no error. */
  unblockSession(unblock: SessionBlock): Promise<void>
}

export interface SessionBlock {
  readonly deviceSessionId: string
  readonly reasonCode: string
  readonly actor: Actor
}
