import type { Database } from '../../../platform/database/connect.ts'
import { Problem, type ProblemKind } from '../../../platform/problem.ts'
import { auditNobody } from '../access/audit.ts'
import { mayEnter } from '../access/identify.ts'
import { personActor } from '../sessions/open-session.ts'
import { openOrAsk, type SignInOutcome } from '../sessions/sign-in.ts'
import type { KnownDevice, Way } from '../sessions/tokens.ts'
import { findPersonByEmail, findPersonById, type Person } from '../store.ts'
import { changeUser, hashUnknown } from '../users/operations.ts'
import { type AccessRule, compareStanding, judgeAdmission } from './admission.ts'
import {
  type OidcDeps,
  proveAtProvider,
  type ProvenAtProvider,
  type Return,
} from './at-provider.ts'
import { connect, join } from './identities.ts'
import { oidcProblems } from './problems.ts'
import { findIdentity, hasIdentityAt, lockProvider, saveIdentityUse } from './store.ts'
import { through } from './through.ts'

export interface SignInAtProvider extends Omit<Return, 'connectedBy'> {
  readonly deviceName: string
  readonly refreshTokenIn: Way
  /** What the browser remembers of earlier sign-ins. */
  readonly device: KnownDevice | undefined
}

/**
 * Opens a session for somebody whom the provider vouches for and the rules admit, or asks for the
 * second factor first.
 */
export async function signInAtProvider(
  deps: OidcDeps,
  { device, deviceName, refreshTokenIn, ...back }: SignInAtProvider,
): Promise<SignInOutcome & { readonly userId: string }> {
  const proven = await proveAtProvider(deps, { ...back, connectedBy: null })
  const user = await admitted(deps, proven)
  const { provider, person } = proven
  const outcome = await openOrAsk(deps, user, {
    deviceName,
    refreshTokenIn,
    isKnownDevice: device?.users.includes(user.publicId) ?? false,
    factorProof: provider.trustsFactor || person.hasProvenFactor ? 'provider' : null,
    through: through(provider, deps.clock.now()),
  })
  return { ...outcome, userId: user.publicId }
}

/** The user, with the account and role of the rules. Refusals are in the audit log. */
async function admitted(deps: OidcDeps, proven: ProvenAtProvider): Promise<Person> {
  try {
    return await enter(deps, proven, ruleFor(proven))
  } catch (error) {
    if (error instanceof Problem) await auditRefusal(deps, proven, error.kind)
    throw error
  }
}

/** The rule that admits the person. Throws a Problem, in words for them, if there is none. */
export function ruleFor({ provider, person }: ProvenAtProvider): AccessRule {
  const admission = judgeAdmission(provider, person)
  if (admission.verdict === 'admitted') return admission.rule
  if (admission.verdict === 'email-unverified') {
    const detail = `Verify ${person.email} at ${provider.name}, then sign in again.`
    throw new Problem(oidcProblems.emailUnverified, detail)
  }
  const detail = `Ask the operator of your platform for access, and name your address: ${person.email}.`
  throw new Problem(oidcProblems.notAdmitted, detail)
}

async function enter(deps: OidcDeps, proven: ProvenAtProvider, rule: AccessRule): Promise<Person> {
  const user = await userOf(deps, proven, rule)
  if (!mayEnter(user)) throw entryRefused()
  const standing = compareStanding(user, rule)
  if (standing === 'differs') {
    const detail = 'Sign in with your password, or ask the operator of your platform.'
    throw new Problem(oidcProblems.rulesDiffer, detail)
  }
  if (standing === 'as-the-rules-say') return user
  const actor = personActor(user, 'identity-provider')
  const target = { publicId: user.publicId, actor, body: { role: rule.role } }
  await deps.db.transaction((db) => changeUser({ ...deps, db }, target))
  return { ...user, role: rule.role }
}

/** Known by the provider's id of the person; an address alone only leads to a user where the rules allow. */
async function userOf(deps: OidcDeps, proven: ProvenAtProvider, rule: AccessRule): Promise<Person> {
  const known = await recognise(deps, proven)
  if (known) return known
  const hashed = await hashUnknown(deps)
  return deps.db.transaction(async (db) => {
    await lockProvider(db, proven.provider.id)
    const since = await recognise({ ...deps, db }, proven)
    if (since) return since
    const namesake = await findPersonByEmail(db, proven.person.email)
    if (!namesake) return join({ ...deps, db }, proven, { ...rule, ...hashed })
    await refuseTakeover(db, { ...proven, namesake, rule })
    await connect({ ...deps, db }, proven, namesake)
    return namesake
  })
}

const entryRefused = () =>
  new Problem(oidcProblems.entryRefused, 'Ask the operator of your platform.')

async function recognise({ db, clock }: OidcDeps, { person }: ProvenAtProvider) {
  const identity = await findIdentity(db, person)
  if (!identity) return undefined
  await saveIdentityUse(db, identity.id, { email: person.email, lastUsedAt: clock.now() })
  return findPersonById(db, identity.userId)
}

interface Takeover extends ProvenAtProvider {
  readonly namesake: Person
  readonly rule: AccessRule
}

/** A user with the same address becomes theirs only if the operator says so, and as the rules say. */
async function refuseTakeover(
  db: Database,
  { provider, person, namesake, rule }: Takeover,
): Promise<void> {
  if (!mayEnter(namesake)) throw entryRefused()
  if (await hasIdentityAt(db, { userId: namesake.userId, issuer: person.issuer })) {
    const detail = `Another person of ${provider.name} is connected with the user who has your address. Ask the operator of your platform.`
    throw new Problem(oidcProblems.identityTaken, detail)
  }
  if (!provider.linksUsers) {
    const detail = `Sign in with your password. Then connect ${provider.name} under Account, Connected sign-ins.`
    throw new Problem(oidcProblems.emailHasUser, detail)
  }
  if (compareStanding(namesake, rule) === 'differs') {
    const detail = 'Sign in with your password, or ask the operator of your platform.'
    throw new Problem(oidcProblems.rulesDiffer, detail)
  }
}

async function auditRefusal(
  deps: OidcDeps,
  { provider, person }: ProvenAtProvider,
  { code }: ProblemKind,
): Promise<void> {
  const { issuer, email } = person
  const identity = await findIdentity(deps.db, person)
  const user = identity && (await findPersonById(deps.db, identity.userId))
  await auditNobody(deps, deps.db, {
    accountId: user?.accountId ?? null,
    action: user ? 'user.sign-in-failed' : 'identity-provider.person-refused',
    entity: user ? 'user' : 'identity provider',
    entityId: user?.publicId ?? provider.publicId,
    after: { issuer, email, reason: code },
  })
}
