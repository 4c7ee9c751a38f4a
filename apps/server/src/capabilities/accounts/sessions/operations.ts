import {
  getRow,
  reviseRow,
  type Actor,
  type ResourceDeps,
  type Target,
  type Values,
} from '../../../platform/resources/index.ts'
import { deviceSession, user } from '../resources.ts'
import { revokeSessionsOf } from '../store.ts'

export interface SessionEnd {
  readonly publicId: string
  readonly actor: Actor
  readonly how: 'revoke' | 'block'
  readonly reasonCode: string
}

/** Ends a session. Repeating it changes nothing and is not an error. */
export async function endSession(deps: ResourceDeps, end: SessionEnd): Promise<Values> {
  const field = end.how === 'block' ? 'blockedAt' : 'revokedAt'
  return reviseRow(deps, deviceSession, {
    ...end,
    action: end.how,
    revise: (row) => (row[field] ? {} : { [field]: deps.clock.now(), reasonCode: end.reasonCode }),
  })
}

export interface SessionUnblock {
  readonly publicId: string
  readonly actor: Actor
  readonly reasonCode: string
}

/** Takes a block back. A session that has expired or was signed out stays over. */
export const unblockSession = (deps: ResourceDeps, unblock: SessionUnblock): Promise<Values> =>
  reviseRow(deps, deviceSession, {
    ...unblock,
    action: 'unblock',
    revise: ({ blockedAt }) =>
      blockedAt
        ? { blockedAt: null, unblockedAt: deps.clock.now(), reasonCode: unblock.reasonCode }
        : {},
  })

/** Ends the sessions of one user, except the current one. */
export async function endSessionsOf(
  deps: ResourceDeps,
  { publicId, actor, except }: Target & { readonly except?: bigint | undefined },
): Promise<void> {
  const record = await getRow(deps.db, user, { publicId, actor })
  const at = deps.clock.now()
  const reasonCode = 'ended_all'
  await revokeSessionsOf(deps.db, { userId: record.id as bigint, at, reasonCode, except })
  await deps.audit(deps.db, {
    actor,
    accountId: record.accountId as bigint,
    action: 'user.end-sessions',
    entity: 'user',
    entityId: publicId,
    after: { isOneKept: except !== undefined },
  })
}
