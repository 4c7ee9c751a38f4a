import { createRow, type Actor, type Values } from '../../../platform/resources/index.ts'
import { ROLE_PERMISSIONS, type AccountKind, type Role } from '../access/access.ts'
import type { UserDeps } from './operations.ts'

import { account, user } from '../resources.ts'
import { findPlatformAccount } from '../store.ts'

export interface NewOperator {
  readonly email: string
  readonly displayName: string
  readonly password: string
  /** Name of the platform account, if there is none yet. */
  readonly accountName: string
}

export type EnrolDeps = Omit<UserDeps, 'mails'>

/**
 * Creates an operator without a permission check, for whoever holds the database. There may be no
 * other user yet, so the audit log names the operator as its own creator.
 */
export async function enrolOperator(deps: EnrolDeps, operator: NewOperator): Promise<Actor> {
  const publicId = deps.ids.next()
  const passwordHash = await deps.passwords.hash(operator.password)
  const actor = actingAs({ publicId, displayName: operator.displayName, role: 'operator' })
  const owner = await platformAccount(deps, { name: operator.accountName, actor })

  const { email, displayName } = operator
  const record = await createRow(deps, user, {
    body: { accountId: owner.publicId, email, displayName, role: 'operator' },
    actor,
    extra: { publicId, passwordHash },
  })
  return actorFor(record)
}

async function platformAccount(
  deps: EnrolDeps,
  { name, actor }: { name: string; actor: Actor },
): Promise<Values> {
  const existing = await findPlatformAccount(deps.db)
  return existing ?? createRow(deps, account, { body: { kind: 'platform', name }, actor })
}

interface Acting {
  readonly publicId: string
  readonly displayName: string
  readonly role: Role
}

const actingAs = ({ publicId, displayName, role }: Acting): Actor => ({
  requestId: 'enrol',
  principal: {
    kind: 'user',
    id: publicId,
    name: displayName,
    accountId: 0n,
    isPlatform: true,
    permissions: new Set(ROLE_PERMISSIONS[role]),
  },
})

/** A newly created user as the actor. */
export function actorFor(record: Values): Actor {
  const row = record as Values & Acting & { id: bigint; accountId: bigint }
  const { requestId, principal } = actingAs(row)
  const kind = row['shown accountKind'] as AccountKind
  return {
    requestId,
    principal: {
      ...principal,
      userId: row.id,
      accountId: row.accountId,
      isPlatform: kind === 'platform',
    },
  }
}
