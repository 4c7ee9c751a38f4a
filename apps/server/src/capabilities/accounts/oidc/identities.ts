import { Problem } from '../../../platform/problem.ts'
import type { Actor } from '../../../platform/resources/index.ts'
import { ROLE_PERMISSIONS } from '../access/access.ts'
import { identityConnected, identityDisconnected } from '../mails/texts.ts'
import { personActor } from '../sessions/open-session.ts'
import { findPersonById, type Person } from '../store.ts'
import { createUser, type HashedPassword } from '../users/operations.ts'
import { type AccessRule, compareStanding } from './admission.ts'
import type { OidcDeps, ProvenAtProvider } from './at-provider.ts'
import { oidcProblems } from './problems.ts'
import {
  addIdentity,
  findIdentity,
  hasIdentityAt,
  listIdentitiesOf,
  lockProvider,
  lockUser,
  removeIdentity,
  revokeSessionsFrom,
} from './store.ts'

/** A user as the rules say, made by the first sign-in. Nobody knows the password. */
export async function join(
  deps: OidcDeps,
  { provider, person }: ProvenAtProvider,
  { accountId, role, passwordHash }: AccessRule & HashedPassword,
): Promise<Person> {
  const { email, displayName } = person
  const publicId = deps.ids.next()
  const actor: Actor = {
    requestId: 'identity-provider',
    principal: {
      kind: 'user',
      id: publicId,
      name: displayName,
      accountId: 0n,
      isPlatform: true,
      permissions: new Set(ROLE_PERMISSIONS[role]),
    },
  }
  const record = await createUser(deps, {
    body: { accountId, email, displayName, role, passwordHash },
    actor,
    extra: { publicId, signsInBy: 'provider' },
  })
  const joined = await findPersonById(deps.db, record.id as bigint)
  await addIdentityOf(deps, { provider, person }, joined!)
  return joined!
}

/** From now on the person is this user. The user is told by mail. */
export async function connect(
  deps: OidcDeps,
  { provider, person }: ProvenAtProvider,
  owner: Person,
): Promise<void> {
  await addIdentityOf(deps, { provider, person }, owner)
  const mail = identityConnected({ provider: provider.name, email: person.email })
  await deps.mails.send(deps.db, { to: owner.email, ...mail })
}

async function addIdentityOf(
  deps: OidcDeps,
  { provider, person }: ProvenAtProvider,
  owner: Person,
): Promise<void> {
  const now = deps.clock.now()
  const { issuer, subject, email } = person
  await addIdentity(deps.db, {
    publicId: deps.ids.next(),
    userId: owner.userId,
    identityProviderId: provider.id,
    issuer,
    subject,
    email,
    createdAt: now,
    lastUsedAt: now,
  })
  await deps.audit(deps.db, {
    actor: personActor(owner, 'identity-provider'),
    accountId: owner.accountId,
    action: 'user.connect-identity',
    entity: 'user',
    entityId: owner.publicId,
    after: { identityProvider: provider.slug, email },
  })
}

interface OwnConnection extends ProvenAtProvider {
  readonly owner: Person
  readonly rule: AccessRule
}

/** Connects a proven identity with the user who is signed in, if it could give what they have. */
export async function connectOwn(
  deps: OidcDeps,
  { provider, person, owner, rule }: OwnConnection,
): Promise<void> {
  if (compareStanding(owner, rule) === 'differs') {
    const detail = `${provider.name} may not give you the role and account that you have here. Ask the operator of your platform.`
    throw new Problem(oidcProblems.rulesDiffer, detail)
  }
  await deps.db.transaction(async (db) => {
    await lockProvider(db, provider.id)
    const isTaken =
      (await findIdentity(db, person)) !== undefined ||
      (await hasIdentityAt(db, { userId: owner.userId, issuer: person.issuer }))
    if (isTaken) {
      const detail = `Look under Account, Connected sign-ins. If ${person.email} is not there, another user has it.`
      throw new Problem(oidcProblems.identityTaken, detail)
    }
    await connect({ ...deps, db }, { provider, person }, owner)
  })
}

export const listOwn = ({ db }: OidcDeps, { userId }: Person) => listIdentitiesOf(db, userId)

/** Ends the sessions that began through it too. Whoever has no password keeps the last one. */
export async function disconnectOwn(
  deps: OidcDeps,
  { publicId, owner }: { readonly publicId: string; readonly owner: Person },
): Promise<void> {
  const { userId, accountId, email } = owner
  await deps.db.transaction(async (db) => {
    await lockUser(db, userId)
    const removed = await removeIdentity(db, { userId, publicId })
    if (!removed) throw new Problem(oidcProblems.identityNotFound, publicId)
    const left = await listIdentitiesOf(db, userId)
    if (owner.signsInBy === 'provider' && left.length === 0) {
      throw new Problem(oidcProblems.lastWayIn, 'Ask an operator for a link to choose a password.')
    }
    const at = deps.clock.now()
    await revokeSessionsFrom(db, { providerId: removed.identityProviderId, at, userId })
    await deps.audit(db, {
      actor: personActor(owner, 'own'),
      accountId,
      action: 'user.disconnect-identity',
      entity: 'user',
      entityId: owner.publicId,
      after: { email: removed.email },
    })
    await deps.mails.send(db, { to: email, ...identityDisconnected(removed.email) })
  })
}
