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
import type { Passwords } from './passwords.ts'
import { accountProblems } from '../problems.ts'
import { account, user } from '../resources.ts'
import { findPasswordHash, revokeSessionsOf } from '../store.ts'

export interface UserDeps extends ResourceDeps {
  readonly passwords: Passwords
}

interface NewUser {
  readonly accountId: string
  readonly email: string
  readonly displayName: string
  readonly role: Role
  readonly password: string
}

export async function createUser(deps: UserDeps, { body, actor }: { body: NewUser; actor: Actor }) {
  const owner = await getRow(deps.db, account, { publicId: body.accountId, actor })
  refuseRole(owner.kind as AccountKind, body.role)

  const passwordHash = await deps.passwords.hash(body.password)
  return createRow(deps, user, { body: { ...body }, actor, extra: { passwordHash } })
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

/** A new password ends every session: whoever knew the old one is out. */
export function setPassword(
  deps: UserDeps,
  { password, ...target }: Target & { password: string },
) {
  return reviseRow(deps, user, {
    ...target,
    action: 'set-password',
    async revise(row) {
      await revokeSessionsOf(deps.db, {
        userId: row.id as bigint,
        at: deps.clock.now(),
        reasonCode: 'password_changed',
      })
      return { passwordHash: await deps.passwords.hash(password) }
    },
  })
}

export async function changeOwnPassword(
  deps: UserDeps,
  { actor, current, next }: { actor: Actor; current: string; next: string },
): Promise<void> {
  const { userId, id } = actor.principal
  const hash = userId === undefined ? undefined : await findPasswordHash(deps.db, userId)
  if (!hash || !(await deps.passwords.verify(hash, current))) {
    throw new Problem(accountProblems.passwordWrong, 'Nothing was changed.')
  }
  await setPassword(deps, { publicId: id, actor, password: next })
}

/** The one way to a declared country: the geo profile synchronises what it has approved. */
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
