import type { FastifyRequest } from 'fastify'
import { callerOf } from '../../../platform/http/access.ts'
import { Problem, type ProblemKind } from '../../../platform/problem.ts'
import { actorOf, type Actor } from '../../../platform/resources/index.ts'
import { accountProblems } from '../problems.ts'
import type { SessionDeps } from '../sessions/open-session.ts'
import { findPasswordHash, findPersonById, type Person } from '../store.ts'
import { useCode, type FactorDeps } from './codes.ts'
import { isFresh } from './factor.ts'
import { findProofOfSession, saveProofOfSession } from './store.ts'

/** A user in a device session of ours: whoever has second factors. */
export interface OwnSession {
  readonly person: Person
  readonly sessionId: bigint
  readonly actor: Actor
  readonly ip: string
}

export async function ownSessionOf(
  { db }: Pick<SessionDeps, 'db'>,
  request: FastifyRequest,
): Promise<OwnSession> {
  const { userId, sessionId } = callerOf(request)
  const person = userId === undefined ? undefined : await findPersonById(db, userId)
  if (!person || sessionId === undefined) {
    throw new Problem(accountProblems.ownSessionNeeded, 'Nothing was changed.')
  }
  return { person, sessionId, actor: actorOf(request), ip: request.ip }
}

/** Throws if the user has not proven an identity in this session recently. */
export async function requireFreshProof(
  { db, clock }: Pick<SessionDeps, 'db' | 'clock'>,
  { sessionId }: OwnSession,
): Promise<void> {
  const session = await findProofOfSession(db, sessionId)
  if (session && isFresh(session, clock.now())) return
  throw new Problem(accountProblems.proofNeeded, 'Nothing was changed.')
}

export function proveByPassword(deps: FactorDeps, own: OwnSession, password: string) {
  return prove(deps, own, {
    refusal: accountProblems.passwordWrong,
    async isRight() {
      const hash = await findPasswordHash(deps.db, own.person.userId)
      return hash !== undefined && deps.passwords.verify(hash, password)
    },
  })
}

export function proveByCode(deps: FactorDeps, own: OwnSession, code: string) {
  return prove(deps, own, {
    refusal: accountProblems.factorRefused,
    isRight: async () =>
      (await deps.db.transaction((db) => useCode({ ...deps, db }, own.person, code))) !== undefined,
  })
}

export interface Proof {
  readonly refusal: ProblemKind
  isRight(): Promise<boolean>
}

/** Counted by address, and by user together with tries of the own password: a stolen token cannot guess. */
export async function prove(
  deps: FactorDeps,
  { person, sessionId, actor, ip }: OwnSession,
  { refusal, isRight }: Proof,
): Promise<void> {
  const { publicId, accountId } = person
  const subject = `own password ${publicId}`
  await deps.limits.takeAddress(ip)
  await deps.limits.takeProof(subject)
  if (!(await isRight())) {
    const failed = { actor, accountId, entity: 'user', entityId: publicId }
    await deps.audit(deps.db, { ...failed, action: 'user.proof-failed' })
    throw new Problem(refusal, 'Nothing was changed.')
  }
  await deps.limits.forget(subject)
  await saveProofOfSession(deps.db, { sessionId, provenAt: deps.clock.now() })
}

export function refuseFactor(): never {
  throw new Problem(accountProblems.factorRefused, 'Nothing was changed.')
}
