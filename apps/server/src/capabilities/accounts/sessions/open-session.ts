import type { Actor, ResourceDeps } from '../../../platform/resources/index.ts'
import type { FactorProof } from '../factors/factor.ts'
import type { Through } from '../oidc/through.ts'
import type { Mails } from '../mails/mails.ts'
import { newDevice } from '../mails/texts.ts'
import { addRefreshToken, addSession, findEarlierSessions, type Person } from '../store.ts'
import type { Passwords } from '../users/passwords.ts'
import type { Limits } from './limits.ts'
import { tokenRow } from './refresh.ts'
import { endingBy } from './session.ts'
import { issueTokens, type Tokens, type Way } from './tokens.ts'

export interface SessionDeps extends ResourceDeps {
  readonly tokens: Tokens
  readonly passwords: Passwords
  readonly limits: Limits
  readonly mails: Mails
  /** Whom a blocked user is told to ask. */
  readonly contact: string
}

/** The tokens of a session. The sender decides how the refresh token travels. */
export type SignedIn = Awaited<ReturnType<typeof issueTokens>>

export interface NewSession {
  readonly deviceName: string
  readonly refreshTokenIn: Way
  /** The browser has signed this user in before. */
  readonly isKnownDevice: boolean
  /** How the second factor was proven; null without one. */
  readonly factorProof: FactorProof | null
  /** The identity provider that vouched for the user, and when it has to again. */
  readonly through?: Through | undefined
}

/** Opens a device session for a proven identity. A new device is reported by mail. */
export async function openSession(
  deps: SessionDeps,
  person: Person,
  session: NewSession,
): Promise<SignedIn> {
  const { deviceName, refreshTokenIn, factorProof, through } = session
  const now = deps.clock.now()
  const publicId = deps.ids.next()
  const refresh = endingBy(deps.tokens.newRefresh(), through?.endsAt)
  await deps.db.transaction(async (db) => {
    await mailNewDevice({ ...deps, db }, person, session)
    const sessionId = await addSession(db, {
      publicId,
      userId: person.userId,
      deviceName,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: refresh.expiresAt,
      factorProof,
      identityProviderId: through?.identityProviderId ?? null,
      endsAt: through?.endsAt ?? null,
    })
    await addRefreshToken(db, tokenRow(sessionId, refresh, refreshTokenIn))
    await deps.audit(db, {
      actor: personActor(person, publicId),
      accountId: person.accountId,
      action: 'session.sign-in',
      entity: 'session',
      entityId: publicId,
      after: { deviceName, factorProof, ...(through && { through: through.slug }) },
    })
  })
  return issueTokens(deps.tokens, publicId, refresh)
}

/** Not at the first sign-in ever, and not again for a program that signs in daily. */
async function mailNewDevice(
  { db, clock, mails }: SessionDeps,
  { userId, email }: Person,
  { deviceName, isKnownDevice, refreshTokenIn }: NewSession,
): Promise<void> {
  if (!mails.areSent || isKnownDevice) return
  const earlier = await findEarlierSessions(db, { userId, deviceName })
  const isProgram = refreshTokenIn === 'body'
  if (!earlier.any || (isProgram && earlier.same)) return
  await mails.send(db, { to: email, ...newDevice(deviceName, clock.now()) })
}

/** The actor for a person who has proven their identity. */
export const personActor = (
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
