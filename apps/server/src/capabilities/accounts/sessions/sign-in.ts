import { Problem } from '../../../platform/problem.ts'
import { auditNobody } from '../access/audit.ts'
import { mayEnter } from '../access/identify.ts'
import { askForFactor, type FactorNeeded } from '../factors/pending-sign-in.ts'
import { manyFailures } from '../mails/texts.ts'
import { accountProblems } from '../problems.ts'
import { findPersonByEmail, type Person } from '../store.ts'
import type { Passwords } from '../users/passwords.ts'
import { openSession, type NewSession, type SessionDeps } from './open-session.ts'
import type { SignedIn } from './open-session.ts'
import type { KnownDevice } from './tokens.ts'

export interface Credentials extends Omit<NewSession, 'isKnownDevice' | 'factorProof'> {
  readonly email: string
  readonly password: string
  /** The caller's IP address. */
  readonly ip: string
  /** What the browser remembers of earlier sign-ins. */
  readonly device: KnownDevice | undefined
}

/** An identity that has been proven. */
export interface Proven {
  readonly person: Person
  readonly isKnownDevice: boolean
}

/** A session, or the question for the second factor. */
export type SignInOutcome =
  | { readonly signedIn: SignedIn; readonly factorNeeded?: undefined }
  | { readonly factorNeeded: FactorNeeded; readonly signedIn?: undefined }

/** Opens a device session, or asks for the second factor first. */
export async function signIn(
  deps: SessionDeps,
  credentials: Credentials,
): Promise<SignInOutcome & { readonly userId: string }> {
  const { person, isKnownDevice } = await provePassword(deps, credentials)
  const session = { ...credentials, isKnownDevice, factorProof: null }
  return { ...(await openOrAsk(deps, person, session)), userId: person.publicId }
}

/**
 * Opens a session for somebody whose identity is proven. Whoever has a second factor is asked for it,
 * unless it is proven already: by `factorProof: 'provider'` another sign-in vouches for it.
 */
export async function openOrAsk(
  deps: SessionDeps,
  person: Person,
  session: NewSession,
): Promise<SignInOutcome> {
  if (person.hasFactor && !session.factorProof) {
    return { factorNeeded: await askForFactor(deps, person, session.through) }
  }
  return { signedIn: await openSession(deps, person, session) }
}

/**
 * Checks the password and returns its user. An unknown address takes as long as a wrong password.
 * Wrong attempts are counted by address and by user. A browser that knows the user has its own
 * count, so that strangers who guess passwords lock nobody out.
 */
async function provePassword(deps: SessionDeps, credentials: Credentials): Promise<Proven> {
  const { email, password, ip, device } = credentials
  await deps.limits.takeAddress(ip)
  const person = await findPersonByEmail(deps.db, email)
  const isKnownDevice = person !== undefined && (device?.users.includes(person.publicId) ?? false)
  const subject = `${isKnownDevice ? `device ${device!.id}` : 'person'} ${email.toLowerCase()}`
  await deps.limits.takeProof(subject, () => tellOfFailures(deps, person))

  const hash = person?.passwordHash ?? (await unknownHash(deps.passwords))
  const matches = await deps.passwords.verify(hash, password)
  if (!person || !matches || !mayEnter(person)) {
    if (person) await auditFailure(deps, person, credentials.deviceName)
    throw new Problem(accountProblems.signInRefused, 'Check both and try again.')
  }
  await deps.limits.forget(subject)
  return { person, isKnownDevice }
}

const auditFailure = (deps: SessionDeps, person: Person, deviceName: string) =>
  auditNobody(deps, deps.db, {
    accountId: person.accountId,
    action: 'user.sign-in-failed',
    entity: 'user',
    entityId: person.publicId,
    after: { deviceName, wasDisabled: !mayEnter(person) },
  })

async function tellOfFailures(deps: SessionDeps, person: Person | undefined): Promise<void> {
  if (!person) return
  const { db, mails, clock, limits } = deps
  await auditNobody(deps, db, {
    accountId: person.accountId,
    action: 'user.sign-ins-limited',
    entity: 'user',
    entityId: person.publicId,
    after: { minutes: limits.failureMinutes },
  })
  await mails.send(db, { to: person.email, ...manyFailures(clock.now(), limits.failureMinutes) })
}

/** By what hashes: a hash says itself what it costs to verify. */
const hashesOfNobody = new WeakMap<Passwords, Promise<string>>()

function unknownHash(passwords: Passwords): Promise<string> {
  const known = hashesOfNobody.get(passwords)
  if (known) return known
  const hash = passwords.hash('nobody has this password')
  hashesOfNobody.set(passwords, hash)
  // Refused because the queue was full: the next caller tries again.
  hash.catch(() => hashesOfNobody.delete(passwords))
  return hash
}
