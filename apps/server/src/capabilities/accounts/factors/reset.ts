import { Problem } from '../../../platform/problem.ts'
import { getRow, type ResourceDeps, type Target } from '../../../platform/resources/index.ts'
import { auditNobody } from '../access/audit.ts'
import type { Mails } from '../mails/mails.ts'
import { factorsReset } from '../mails/texts.ts'
import { accountProblems } from '../problems.ts'
import { user } from '../resources.ts'
import { findPersonByEmail, findPersonById, revokeSessionsOf, type Person } from '../store.ts'
import { forgetFactors } from './operations.ts'
import { deletePendingOf, lockFactorsOf, removeFactors } from './store.ts'

export interface ResetDeps extends Pick<ResourceDeps, 'db' | 'clock' | 'ids'> {
  readonly mails: Mails
}

/** For somebody who has lost a phone: removes all factors of another user, and ends the sessions. */
export async function resetFactors(
  deps: ResetDeps & Pick<ResourceDeps, 'audit'>,
  { publicId, actor }: Target,
): Promise<void> {
  if (publicId === actor.principal.id) {
    throw new Problem(accountProblems.ownFactors, 'Nothing was removed.')
  }
  const { id } = await getRow(deps.db, user, { publicId, actor })
  const person = await findPersonById(deps.db, id as bigint)
  if (!person || !(await removeAll(deps, person))) return
  await deps.audit(deps.db, {
    actor,
    accountId: person.accountId,
    action: 'user.reset-factors',
    entity: 'user',
    entityId: publicId,
  })
}

/** The same for whoever holds the database. False if nobody has that address, or has no factor. */
export async function resetFactorsByEmail(deps: ResetDeps, email: string): Promise<boolean> {
  const person = await findPersonByEmail(deps.db, email)
  if (!person || !(await removeAll(deps, person))) return false
  await auditNobody(deps, deps.db, {
    accountId: person.accountId,
    action: 'user.reset-factors',
    entity: 'user',
    entityId: person.publicId,
    after: {},
    actorName: 'The command line of the operator',
  })
  return true
}

/** A reset that finds nothing changes nothing. */
async function removeAll(deps: ResetDeps, { userId, email, hasFactor }: Person): Promise<boolean> {
  if (!hasFactor) return false
  const { db, clock, mails } = deps
  const at = clock.now()
  await lockFactorsOf(db, userId)
  await removeFactors(db, { userId })
  await forgetFactors(deps, userId)
  await deletePendingOf(db, userId)
  await revokeSessionsOf(db, { userId, at, reasonCode: 'factors_reset' })
  await mails.send(db, { to: email, ...factorsReset(at) })
  return true
}
