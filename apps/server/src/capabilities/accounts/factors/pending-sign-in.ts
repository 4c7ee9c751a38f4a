import { Problem } from '../../../platform/problem.ts'
import type { ResourceDeps } from '../../../platform/resources/index.ts'
import { auditNobody } from '../access/audit.ts'
import { mayEnter } from '../access/identify.ts'
import { newLinkToken } from '../links/links.ts'
import { manyWrongCodes } from '../mails/texts.ts'
import { accountProblems } from '../problems.ts'
import { openSession, type NewSession, type SignedIn } from '../sessions/open-session.ts'
import { hashSecret, type KnownDevice } from '../sessions/tokens.ts'
import { type Through, throughSince } from '../oidc/through.ts'
import { findPersonById, type Person } from '../store.ts'
import { useCode, type FactorDeps } from './codes.ts'
import { CHALLENGE_MS, type FactorProof } from './factor.ts'
import { addPending, countRecoveryCodes, endPending, findPending, listFactors } from './store.ts'

/** A sign-in that waits for a factor, and what its user can prove it with. */
export interface FactorNeeded {
  readonly signInToken: string
  readonly expiresAt: string
  readonly factors: Exclude<FactorProof, 'provider'>[]
}

/** Keeps a sign-in until the factor comes. Only a hash of its token is stored. */
export async function askForFactor(
  deps: Pick<ResourceDeps, 'db' | 'clock' | 'random'>,
  { userId }: Pick<Person, 'userId'>,
  through?: Through,
): Promise<FactorNeeded> {
  const { db, clock, random } = deps
  const { token, tokenHash } = newLinkToken(random)
  const expiresAt = new Date(clock.now().getTime() + CHALLENGE_MS)
  const identityProviderId = through?.identityProviderId ?? null
  await addPending(db, { tokenHash, userId, identityProviderId, expiresAt })
  const kinds = new Set((await listFactors(db, userId)).map(({ kind }) => kind))
  const hasCodes = (await countRecoveryCodes(db, userId)) > 0
  return {
    signInToken: token,
    expiresAt: expiresAt.toISOString(),
    factors: [...kinds, ...(hasCodes ? (['recovery-code'] as const) : [])],
  }
}

export interface SecondStep extends Omit<NewSession, 'isKnownDevice' | 'factorProof' | 'through'> {
  readonly signInToken: string
  readonly device: KnownDevice | undefined
}

export type Completed = SignedIn & { readonly userId: string }

/** Completes a sign-in with a code. Wrong codes are counted like wrong passwords. */
export async function signInWithCode(
  deps: FactorDeps,
  { code, ...step }: SecondStep & { readonly code: string },
): Promise<Completed> {
  const pending = await openPending(deps, step.signInToken)
  const person = await pendingPerson(deps, pending.userId)
  return completeWith(deps, {
    step,
    pending,
    person,
    prove: (deps) => useCode(deps, person, code),
  })
}

interface Completing {
  readonly step: SecondStep
  readonly pending: { readonly id: bigint; readonly identityProviderId: bigint | null }
  readonly person: Person
  /** Uses up what was sent, in the transaction that opens the session. */
  prove(deps: FactorDeps): Promise<FactorProof | undefined>
}

/** One attempt: counted first, so that concurrent guesses get no more than sequential ones. */
export async function completeWith(
  deps: FactorDeps,
  { step, pending, person, prove }: Completing,
): Promise<Completed> {
  const { publicId } = person
  const isKnownDevice = step.device?.users.includes(publicId) ?? false
  const subject = `factor ${isKnownDevice ? `device ${step.device!.id}` : 'person'} ${publicId}`
  await deps.limits.takeProof(subject, () => tellOfWrongCodes(deps, person))
  const signedIn = await deps.db.transaction(async (db) => {
    const factorProof = await prove({ ...deps, db })
    if (!factorProof) return undefined
    if (!(await endPending(db, pending.id))) throw signInExpired()
    const { identityProviderId } = pending
    const through = identityProviderId && (await throughSince({ ...deps, db }, identityProviderId))
    if (through === undefined) throw signInExpired()
    const session = { ...step, isKnownDevice, factorProof, through: through || undefined }
    return openSession({ ...deps, db }, person, session)
  })
  if (!signedIn) {
    await auditWrongFactor(deps, person, step.deviceName)
    throw new Problem(accountProblems.factorRefused, 'Nobody was signed in.')
  }
  await deps.limits.forget(subject)
  return { ...signedIn, userId: publicId }
}

export async function openPending({ db, clock }: FactorDeps, signInToken: string) {
  const pending = await findPending(db, { tokenHash: hashSecret(signInToken), now: clock.now() })
  if (!pending) throw signInExpired()
  return pending
}

/** The user of a sign-in that began with a password. */
export async function pendingPerson({ db }: FactorDeps, userId: bigint | null): Promise<Person> {
  const person = userId === null ? undefined : await findPersonById(db, userId)
  if (!person || !mayEnter(person)) throw signInExpired()
  return person
}

export const signInExpired = () => new Problem(accountProblems.signInExpired, 'Begin again.')

export const auditWrongFactor = (deps: FactorDeps, person: Person, deviceName: string) =>
  auditNobody(deps, deps.db, {
    accountId: person.accountId,
    action: 'user.factor-failed',
    entity: 'user',
    entityId: person.publicId,
    after: { deviceName },
  })

async function tellOfWrongCodes(deps: FactorDeps, person: Person): Promise<void> {
  const { db, mails, clock, limits } = deps
  await auditNobody(deps, db, {
    accountId: person.accountId,
    action: 'user.factors-limited',
    entity: 'user',
    entityId: person.publicId,
    after: { minutes: limits.failureMinutes },
  })
  await mails.send(db, { to: person.email, ...manyWrongCodes(clock.now(), limits.failureMinutes) })
}
