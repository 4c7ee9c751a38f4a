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
import { addRefreshToken, addSession, findPersonByEmail, type Person } from '../store.ts'
import { tokenRow } from './refresh.ts'
import { issueTokens, type Tokens, type Way } from './tokens.ts'

export interface SessionDeps extends ResourceDeps {
  readonly tokens: Tokens
  readonly passwords: Passwords
}

export interface Credentials extends NewSession {
  readonly email: string
  readonly password: string
}

/** The tokens of a session; whoever sends them decides which way the refresh token goes. */
export type SignedIn = Awaited<ReturnType<typeof issueTokens>>

/** Opens a device session. An unknown address takes as long as a wrong password. */
export async function signIn(deps: SessionDeps, credentials: Credentials): Promise<SignedIn> {
  const { email, password, deviceName, refreshTokenIn } = credentials
  const person = await findPersonByEmail(deps.db, email)
  const hash = person?.passwordHash ?? (await unknownHash(deps.passwords))
  const matches = await deps.passwords.verify(hash, password)
  if (!person || !matches || !mayEnter(person)) {
    throw new Problem(accountProblems.signInRefused, 'Check both and try again.')
  }

  return openSession(deps, person, { deviceName, refreshTokenIn })
}

export interface NewSession {
  readonly deviceName: string
  readonly refreshTokenIn: Way
}

/** A device session of somebody who has proven who they are. */
async function openSession(
  deps: SessionDeps,
  person: Person,
  { deviceName, refreshTokenIn }: NewSession,
): Promise<SignedIn> {
  const now = deps.clock.now()
  const publicId = deps.ids.next()
  const refresh = deps.tokens.newRefresh()
  await deps.db.transaction(async (db) => {
    const sessionId = await addSession(db, {
      publicId,
      userId: person.userId,
      deviceName,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: refresh.expiresAt,
    })
    await addRefreshToken(db, tokenRow(sessionId, refresh, refreshTokenIn))
    await deps.audit(db, {
      actor: personActor(person, publicId),
      accountId: person.accountId,
      action: 'session.sign-in',
      entity: 'session',
      entityId: publicId,
      after: { deviceName },
    })
  })
  return issueTokens(deps.tokens, publicId, refresh)
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
