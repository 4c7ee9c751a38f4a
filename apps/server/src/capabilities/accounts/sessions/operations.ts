import { Problem } from '../../../platform/problem.ts'
import {
  reviseRow,
  type Actor,
  type ResourceDeps,
  type Values,
} from '../../../platform/resources/index.ts'
import { mayEnter } from '../access/identify.ts'
import type { Passwords } from '../users/passwords.ts'
import { accountProblems } from '../problems.ts'
import { deviceSession } from '../resources.ts'
import { judgeSession } from './session.ts'
import {
  addRefreshToken,
  addSession,
  extendSession,
  findPersonByEmail,
  lockRefreshToken,
  markRefreshTokenUsed,
  revokeSession,
} from '../store.ts'
import { hashSecret, type Tokens } from './tokens.ts'

export interface SessionDeps extends ResourceDeps {
  readonly tokens: Tokens
  readonly passwords: Passwords
}

export interface Credentials {
  readonly email: string
  readonly password: string
  readonly deviceName: string
}

/** Opens a device session. An unknown address takes as long as a wrong password. */
export async function signIn(deps: SessionDeps, { email, password, deviceName }: Credentials) {
  const person = await findPersonByEmail(deps.db, email)
  const hash = person?.passwordHash ?? (await unknownHash(deps.passwords))
  const matches = await deps.passwords.verify(hash, password)
  if (!person || !matches || !mayEnter(person)) {
    throw new Problem(accountProblems.signInRefused, 'Check both and try again.')
  }

  const now = deps.clock.now()
  const sessionPublicId = deps.ids.next()
  return deps.db.transaction(async (db) => {
    const refresh = deps.tokens.newRefresh()
    const sessionId = await addSession(db, {
      publicId: sessionPublicId,
      userId: person.userId,
      deviceName,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: refresh.expiresAt,
    })
    await addRefreshToken(db, { sessionId, tokenHash: refresh.hash, expiresAt: refresh.expiresAt })
    await deps.audit(db, {
      actor: personActor(person, sessionPublicId),
      accountId: person.accountId,
      action: 'session.sign-in',
      entity: 'session',
      entityId: sessionPublicId,
      after: { deviceName },
    })
    return answer(deps, sessionPublicId, refresh)
  })
}

let hashOfNobody: Promise<string> | undefined

const unknownHash = (passwords: Passwords): Promise<string> =>
  (hashOfNobody ??= passwords.hash('nobody has this password'))

const personActor = (
  person: { publicId: string; displayName: string; accountId: bigint },
  requestId: string,
): Actor => ({
  requestId,
  principal: {
    kind: 'user',
    id: person.publicId,
    name: person.displayName,
    accountId: person.accountId,
    isPlatform: false,
    permissions: new Set(),
  },
})

/**
 * Swaps a refresh token for the next one. A token that comes a second time was copied: the whole
 * session ends, because nobody can tell the thief from the owner.
 */
export async function refreshSession(deps: SessionDeps, refreshToken: string) {
  const now = deps.clock.now()
  const outcome = await deps.db.transaction(async (db) => {
    const found = await lockRefreshToken(db, hashSecret(refreshToken))
    if (!found || found.tokenExpiresAt <= now) return 'refused' as const
    if (judgeSession(found, now) !== 'active') return 'refused' as const
    if (found.usedAt) {
      await revokeSession(db, { ...found, at: now, reasonCode: 'refresh_token_reused' })
      return 'refused' as const
    }

    const refresh = deps.tokens.newRefresh()
    await markRefreshTokenUsed(db, found.id, now)
    await addRefreshToken(db, {
      sessionId: found.sessionId,
      tokenHash: refresh.hash,
      expiresAt: refresh.expiresAt,
    })
    const times = { lastSeenAt: now, expiresAt: refresh.expiresAt }
    await extendSession(db, found.sessionId, times)
    return answer(deps, found.sessionPublicId, refresh)
  })
  if (outcome === 'refused') throw new Problem(accountProblems.refreshRefused, 'Sign in again.')
  return outcome
}

async function answer(
  { tokens }: SessionDeps,
  sessionId: string,
  refresh: { token: string; expiresAt: Date },
) {
  const access = await tokens.issueAccess(sessionId)
  return {
    accessToken: access.token,
    accessTokenExpiresAt: access.expiresAt.toISOString(),
    refreshToken: refresh.token,
    refreshTokenExpiresAt: refresh.expiresAt.toISOString(),
    sessionId,
  }
}

export interface SessionEnd {
  readonly publicId: string
  readonly actor: Actor
  readonly how: 'revoke' | 'block'
  readonly reasonCode: string
}

/** Ends a session; doing so again changes nothing and is no error. */
export async function endSession(deps: ResourceDeps, end: SessionEnd): Promise<Values> {
  const field = end.how === 'block' ? 'blockedAt' : 'revokedAt'
  return reviseRow(deps, deviceSession, {
    ...end,
    action: end.how,
    revise: (row) => (row[field] ? {} : { [field]: deps.clock.now(), reasonCode: end.reasonCode }),
  })
}
