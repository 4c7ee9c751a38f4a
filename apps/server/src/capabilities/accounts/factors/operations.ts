import { Problem } from '../../../platform/problem.ts'
import type { SystemEntry } from '../access/audit.ts'
import * as texts from '../mails/texts.ts'
import { accountProblems } from '../problems.ts'
import { revokeSessionsOf } from '../store.ts'
import { addressOf, newSecret, stepOf } from './authenticator.ts'
import type { FactorDeps } from './codes.ts'
import { CHALLENGE_MS, FACTORS_MAX, needsFactor, type FactorKind } from './factor.ts'
import { requireFreshProof, type OwnSession } from './own-session.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import {
  addFactor,
  countRecoveryCodes,
  findChallenge,
  forgetProofsOf,
  listFactors,
  lockFactorsOf,
  removeFactors,
  saveChallenge,
  saveProofOfSession,
  saveRecoveryCodes,
  takeChallenge,
  type FactorRow,
} from './store.ts'

/** What a user sees of their own factors. */
export async function readOwnFactors({ db, factorRoles }: FactorDeps, { person }: OwnSession) {
  const factors = await listFactors(db, person.userId)
  return {
    items: factors.map(presentFactor),
    recoveryCodesLeft: await countRecoveryCodes(db, person.userId),
    isRequired: needsFactor(person, factorRoles),
  }
}

export const presentFactor = ({ publicId, kind, name, createdAt, lastUsedAt }: FactorRow) => ({
  id: publicId,
  kind,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})

/** Makes a secret for an app. It counts once a code of it was sent back. */
export async function beginAuthenticator(deps: FactorDeps, own: OwnSession) {
  const { db, clock, random, factorBox } = deps
  await requireFreshProof(deps, own)
  await refuseTooMany(deps, own)
  const secret = newSecret(random)
  const expiresAt = new Date(clock.now().getTime() + CHALLENGE_MS)
  const challenge = await factorBox.seal(secret)
  await saveChallenge(db, { ...challengeKey(own), challenge, expiresAt })
  const host = deps.publicUrl === undefined ? '' : ` ${new URL(deps.publicUrl).hostname}`
  const address = addressOf(secret, { issuer: `Placard${host}`, label: own.person.email })
  return { secret, address, expiresAt: expiresAt.toISOString() }
}

const challengeKey = ({ sessionId }: OwnSession) =>
  ({ sessionId, purpose: 'add-authenticator' }) as const

/** The code counts as used: it does not sign in as well. */
export async function confirmAuthenticator(
  deps: FactorDeps,
  own: OwnSession,
  { name, code }: { readonly name: string; readonly code: string },
) {
  const { db, clock, factorBox } = deps
  await requireFreshProof(deps, own)
  const now = clock.now()
  const sealedSecret = await findChallenge(db, challengeKey(own), now)
  if (sealedSecret === undefined) throw new Problem(accountProblems.setUpExpired, 'Begin again.')
  const lastStep = stepOf(await factorBox.open(sealedSecret), { code, now })
  if (lastStep === undefined) throw new Problem(accountProblems.factorRefused, 'Nothing was added.')
  await takeChallenge(db, challengeKey(own), now)
  return saveFactor(deps, own, { kind: 'authenticator', name, sealedSecret, lastStep })
}

export type NewFactor = Omit<Parameters<typeof addFactor>[1], 'publicId' | 'userId' | 'createdAt'>

/** With the first factor come recovery codes, and sessions that began without one end. */
export async function saveFactor(deps: FactorDeps, own: OwnSession, factor: NewFactor) {
  const { db, clock, ids, mails } = deps
  const { person, sessionId } = own
  const { userId, email } = person
  const now = clock.now()
  await lockFactorsOf(db, userId)
  const isFirst = (await refuseTooMany(deps, own)) === 0
  const added = await addFactor(db, { ...factor, publicId: ids.next(), userId, createdAt: now })
  await saveProofOfSession(db, { sessionId, provenAt: now, factorProof: factor.kind })
  if (isFirst) {
    await revokeSessionsOf(db, { userId, at: now, reasonCode: 'factor_added', except: sessionId })
  }
  await auditOwn(deps, own, { action: 'user.add-factor', after: named(added) })
  await mails.send(db, { to: email, ...texts.factorAdded(added, now) })
  const recoveryCodes = isFirst ? await replaceCodes(deps, userId) : null
  return { factor: presentFactor(added), recoveryCodes }
}

export async function refuseTooMany({ db }: FactorDeps, { person }: OwnSession): Promise<number> {
  const { length } = await listFactors(db, person.userId)
  if (length >= FACTORS_MAX) throw new Problem(accountProblems.tooManyFactors, 'Nothing was added.')
  return length
}

const named = ({ kind, name }: { kind: FactorKind; name: string }) => ({ kind, name })

/** Removes one factor; with the last one the recovery codes go. */
export async function removeFactor(
  deps: FactorDeps,
  own: OwnSession,
  publicId: string,
): Promise<void> {
  const { db, clock, mails, factorRoles } = deps
  const { userId, email } = own.person
  await requireFreshProof(deps, own)
  await lockFactorsOf(db, userId)
  const factors = await listFactors(db, userId)
  const factor = factors.find((one) => one.publicId === publicId)
  if (!factor) throw new Problem(accountProblems.factorNotFound, publicId)
  const isLast = factors.length === 1
  if (isLast && needsFactor(own.person, factorRoles)) {
    throw new Problem(accountProblems.lastFactor, 'Nothing was removed.')
  }
  await removeFactors(db, { userId, publicId })
  if (isLast) await forgetFactors(deps, userId)
  await auditOwn(deps, own, { action: 'user.remove-factor', after: named(factor) })
  await mails.send(db, { to: email, ...texts.factorRemoved(factor, clock.now()) })
}

/** What remains of factors when the last one is gone. */
export async function forgetFactors({ db }: Pick<FactorDeps, 'db'>, userId: bigint) {
  await saveRecoveryCodes(db, { userId, hashes: [] })
  await forgetProofsOf(db, userId)
}

/** The codes made before no longer work. */
export async function renewRecoveryCodes(deps: FactorDeps, own: OwnSession) {
  const { db, clock, mails } = deps
  const { userId, email } = own.person
  await requireFreshProof(deps, own)
  await lockFactorsOf(db, userId)
  if ((await listFactors(db, userId)).length === 0) {
    throw new Problem(accountProblems.noFactor, 'No codes were made.')
  }
  await auditOwn(deps, own, { action: 'user.renew-recovery-codes', after: {} })
  await mails.send(db, { to: email, ...texts.recoveryCodesReplaced(clock.now()) })
  return { recoveryCodes: await replaceCodes(deps, userId) }
}

async function replaceCodes({ db, random }: FactorDeps, userId: bigint): Promise<string[]> {
  const codes = newRecoveryCodes(random)
  await saveRecoveryCodes(db, { userId, hashes: codes.map(hashRecoveryCode) })
  return [...codes]
}

const auditOwn = (
  { audit, db }: FactorDeps,
  { person, actor }: OwnSession,
  entry: Pick<SystemEntry, 'action' | 'after'>,
) =>
  audit(db, {
    actor,
    accountId: person.accountId,
    entity: 'user',
    entityId: person.publicId,
    ...entry,
  })
