import type { Database } from '../../../platform/database/connect.ts'
import { Problem } from '../../../platform/problem.ts'
import {
  createRow,
  getRow,
  reviseRow,
  type Actor,
  type ResourceDeps,
  type Target,
  type Values,
} from '../../../platform/resources/index.ts'
import { mayHoldRole, type AccountKind, type Role } from '../access/access.ts'
import { deletePendingOf } from '../factors/store.ts'
import type { Mails } from '../mails/mails.ts'
import { passwordChanged } from '../mails/texts.ts'
import type { Limits } from '../sessions/limits.ts'
import { refuseCommonPassword, type NewPassword } from './password-rule.ts'
import type { Passwords } from './passwords.ts'
import { accountProblems } from '../problems.ts'
import { account, user } from '../resources.ts'
import { findPasswordHash, revokeSessionsOf } from '../store.ts'

export interface UserDeps extends ResourceDeps {
  readonly passwords: Passwords
  readonly mails: Mails
}

interface NewUser {
  readonly accountId: string
  readonly email: string
  readonly displayName: string
  readonly role: Role
}

export async function createUser(
  deps: ResourceDeps,
  { body, actor, extra }: { body: NewUser & HashedPassword; actor: Actor; extra?: Values },
) {
  const owner = await getRow(deps.db, account, { publicId: body.accountId, actor })
  refuseRole(owner.kind as AccountKind, body.role)

  const { passwordHash } = body
  return createRow(deps, user, { body: { ...body }, actor, extra: { passwordHash, ...extra } })
}

export function changeUser(deps: UserDeps, { body, ...target }: Target & { body: Values }) {
  return reviseRow(deps, user, {
    ...target,
    action: 'update',
    async revise(row) {
      const owner = await getRow(deps.db, user, target)
      const kind = owner['shown accountKind'] as AccountKind
      refuseRole(kind, (body.role ?? row.role) as Role)
      return body
    },
  })
}

function refuseRole(kind: AccountKind, role: Role): void {
  if (mayHoldRole(kind, role)) return
  throw new Problem(accountProblems.roleNotForAccount, `${role} in a ${kind} account`)
}

export interface HashedPassword {
  readonly passwordHash: string
}

/** Checks and hashes a password. Slow, so it runs before any lock is taken. */
export async function hashNew(
  { passwords }: Pick<UserDeps, 'passwords'>,
  password: NewPassword,
): Promise<HashedPassword> {
  await refuseCommonPassword(password)
  return { passwordHash: await passwords.hash(password.password) }
}

/** The hash of a password that nobody knows. */
export async function hashUnknown({
  passwords,
  random,
}: Pick<UserDeps, 'passwords' | 'random'>): Promise<HashedPassword> {
  const unknown = Buffer.from(random.bytes(32)).toString('base64url')
  return { passwordHash: await passwords.hash(unknown) }
}

/** A new password ends every session, including those of anybody who knew the old one. */
export function savePassword(
  deps: UserDeps,
  { passwordHash, ...target }: Target & HashedPassword & { readonly instead?: string },
) {
  return reviseRow(deps, user, {
    ...target,
    action: 'set-password',
    async revise(row) {
      if (target.instead !== undefined && row.passwordHash !== target.instead) {
        throw new Problem(accountProblems.passwordWrong, 'It has just been changed.')
      }
      const { db, clock, mails } = deps
      const at = clock.now()
      const userId = row.id as bigint
      await revokeSessionsOf(db, { userId, at, reasonCode: 'password_changed' })
      await deletePendingOf(db, userId)
      await mails.send(db, { to: row.email as string, ...passwordChanged(at) })
      return { passwordHash, signsInBy: 'password' }
    },
  })
}

interface OwnPassword {
  readonly actor: Actor
  readonly current: string
  readonly next: string
}

/** Verifies the current password and hashes the new one. The returned function saves it. */
export async function prepareOwnPassword(
  deps: UserDeps & { readonly limits: Limits },
  { actor, current, next }: OwnPassword,
): Promise<(db: Database) => Promise<unknown>> {
  const { id, name } = actor.principal
  const instead = await proveOwnPassword(deps, actor, current)
  const hashed = await hashNew(deps, { password: next, field: 'newPassword', about: [name] })
  return (db) => savePassword({ ...deps, db }, { publicId: id, actor, instead, ...hashed })
}

/** Verifies the current password of whoever acts, and returns its hash. Tries are counted. */
export async function proveOwnPassword(
  deps: UserDeps & { readonly limits: Limits },
  actor: Actor,
  password: string,
): Promise<string> {
  const { userId, id, accountId } = actor.principal
  const hash = userId === undefined ? undefined : await findPasswordHash(deps.db, userId)
  const subject = `own password ${id}`
  await deps.limits.takeProof(subject)
  if (!hash || !(await deps.passwords.verify(hash, password))) {
    const failed = { actor, accountId, entity: 'user', entityId: id }
    await deps.audit(deps.db, { ...failed, action: 'user.proof-failed' })
    throw new Problem(accountProblems.passwordWrong, 'Nothing was changed.')
  }
  await deps.limits.forget(subject)
  return hash
}

/** The only writer of a declared country: the geo profile synchronises what it has approved. */
export function syncDeclaredCountry(
  deps: ResourceDeps,
  { country, ...target }: Target & { country: string | null },
) {
  return reviseRow(deps, user, {
    ...target,
    action: 'sync-declared-country',
    revise: (row) => (row.declaredCountry === country ? {} : { declaredCountry: country }),
  })
}
