import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { bearerIn, type Identify, keyIn } from '../../../platform/http/access.ts'
import type { Principal } from '../../../platform/http/principal.ts'
import { Problem } from '../../../platform/problem.ts'
import { ROLE_PERMISSIONS } from './access.ts'
import { accountProblems } from '../problems.ts'
import { judgeFactor, type FactorRoles } from '../factors/factor.ts'
import { blockedProblem } from '../sessions/blocked.ts'
import { judgeSession } from '../sessions/session.ts'
import {
  findPersonByEmail,
  findPersonByPublicId,
  findPersonBySession,
  findUsableKey,
  saveKeyUse,
  saveLastSeen,
  type Person,
  type UsableKey,
} from '../store.ts'
import { hashSecret, type Tokens } from '../sessions/tokens.ts'

export interface IdentifyDeps {
  readonly db: Database
  readonly clock: Clock
  readonly tokens: Tokens
  /** Whom a blocked user is told to ask. */
  readonly contact: string
  readonly factorRoles: FactorRoles
}

/** Checks every request against the database, so a blocked session stops at its next request. */
export function identifyBy(deps: IdentifyDeps): Identify {
  return async (request) => {
    const key = keyIn(request)
    if (key !== undefined) return identifyKey(deps, key)

    const token = bearerIn(request)
    return token ? identifyPerson(deps, token) : undefined
  }
}

async function identifyKey({ db, clock }: IdentifyDeps, key: string): Promise<Principal> {
  const now = clock.now()
  const found = await findUsableKey(db, { hash: hashSecret(key), now })
  if (!found) throw new Problem(accountProblems.keyRefused, 'Ask for a new key.')

  if (isStale(found.lastUsedAt, now)) await saveKeyUse(db, found.id, now)
  return principalOfKey(found)
}

const principalOfKey = (key: UsableKey): Principal => ({
  kind: 'key',
  id: key.publicId,
  name: key.name,
  accountId: key.accountId,
  isPlatform: key.accountKind === 'platform',
  permissions: new Set(key.scopes),
})

async function identifyPerson(
  { db, clock, tokens, contact, factorRoles }: IdentifyDeps,
  token: string,
): Promise<Principal> {
  const subject = await tokens.readAccess(token)
  if (!subject) throw new Problem(accountProblems.tokenRefused, 'Refresh it or sign in again.')
  if (subject.kind === 'external') {
    const person = await findPersonByEmail(db, subject.email)
    if (!person) throw new Problem(accountProblems.tokenRefused, 'Nobody here has that address.')
    const factorProof = subject.hasProvenFactor ? 'provider' : null
    if (judgeFactor({ ...person, factorProof }, factorRoles) !== 'fine') {
      throw new Problem(accountProblems.tokenWithoutFactor, 'The token says of none.')
    }
    return principalOf(person)
  }

  const found = await findPersonBySession(db, subject.sessionId)
  if (!found) throw new Problem(accountProblems.sessionEnded, 'Sign in again.')
  const now = clock.now()
  const verdict = judgeSession(found, now)
  if (verdict === 'blocked') throw blockedProblem({ ...found, contact })
  if (verdict !== 'active') throw new Problem(accountProblems.sessionEnded, `It is ${verdict}.`)
  const factor = judgeFactor(found, factorRoles)
  if (factor === 'unproven') throw new Problem(accountProblems.sessionEnded, 'It lacks a factor.')

  if (isStale(found.lastSeenAt, now)) await saveLastSeen(db, found.sessionId, now)
  return {
    ...principalOf(found),
    sessionId: found.sessionId,
    deviceSessionId: subject.sessionId,
    ...(factor === 'must-set-up' && { mustSetUpFactor: true, permissions: new Set<string>() }),
  }
}

function principalOf(person: Person): Principal {
  if (!mayEnter(person)) throw new Problem(accountProblems.sessionEnded, 'The user is disabled.')
  return {
    kind: 'user',
    id: person.publicId,
    name: person.displayName,
    accountId: person.accountId,
    isPlatform: person.accountKind === 'platform',
    permissions: new Set(ROLE_PERMISSIONS[person.role]),
    userId: person.userId,
  }
}

/** A caller of earlier, with today's permissions. Undefined if they may not enter any more. */
export async function principalNow(
  db: Database,
  { kind, id, now }: Pick<Principal, 'kind' | 'id'> & { readonly now: Date },
): Promise<Principal | undefined> {
  if (kind === 'key') {
    const key = await findUsableKey(db, { publicId: id, now })
    return key && principalOfKey(key)
  }
  const person = await findPersonByPublicId(db, id)
  return person && mayEnter(person) ? principalOf(person) : undefined
}

export const mayEnter = ({ isActive, deletedAt, accountDeletedAt }: Person): boolean =>
  isActive && !deletedAt && !accountDeletedAt

const STALE_MS = 60_000

/** Last use is written at most once a minute: people read it, nothing counts by it. */
const isStale = (last: Date | null, now: Date) =>
  last === null || now.getTime() - last.getTime() > STALE_MS
