import * as contract from '@placard/contract/accounts'
import { defineResource } from '../../platform/resources/index.ts'
import { accountProblems } from './problems.ts'
import { auditFilters } from './reads-audit.ts'
import { countActiveUsers, revokeSessionsOf } from './store.ts'
import { accounts, apiKeys, auditLog, deviceSessions, users } from './tables.ts'
import { Problem } from '../../platform/problem.ts'

const toAccount = {
  to: accounts,
  problem: accountProblems.accountNotFound,
  givesAccount: true,
  shows: { accountName: 'name', accountKind: 'kind' },
}

export const account = defineResource({
  noun: 'account',
  plural: 'accounts',
  tag: 'accounts',
  permission: 'accounts',
  table: accounts,
  view: contract.Account,
  create: contract.CreateAccount,
  patch: contract.PatchAccount,
  query: contract.AccountQuery,
  searches: ['name'],
  references: {},
  problems: {
    notFound: accountProblems.accountNotFound,
    alreadyDeleted: accountProblems.accountAlreadyDeleted,
    notDeleted: accountProblems.accountNotDeleted,
  },
  async beforeDelete(db, { id, publicId }) {
    const count = await countActiveUsers(db, { accountId: id })
    if (count > 0) throw new Problem(accountProblems.accountInUse, `${count} users of ${publicId}`)
  },
})

export const user = defineResource({
  noun: 'user',
  plural: 'users',
  tag: 'users',
  permission: 'users',
  table: users,
  view: contract.User,
  create: contract.CreateUser,
  patch: contract.PatchUser,
  query: contract.UserQuery,
  searches: ['searchText'],
  references: { accountId: toAccount },
  problems: {
    notFound: accountProblems.userNotFound,
    alreadyDeleted: accountProblems.userAlreadyDeleted,
    notDeleted: accountProblems.userNotDeleted,
  },
  uniques: { users_email_key: accountProblems.emailExists },
  /** Signs out users who may no longer sign in. The last operator cannot be deactivated. */
  async afterChange(db, { before, after }, { clock }) {
    const mayNoLonger = !after.isActive || after.deletedAt !== null
    if (mayNoLonger) {
      await revokeSessionsOf(db, { userId: after.id, at: clock.now(), reasonCode: 'user_disabled' })
    }
    if (before?.role !== 'operator' || (!mayNoLonger && after.role === 'operator')) return
    if ((await countActiveUsers(db, { role: 'operator' })) === 0) {
      throw new Problem(accountProblems.lastOperator, 'Make somebody else an operator first.')
    }
  },
})

export const deviceSession = defineResource({
  noun: 'session',
  plural: 'sessions',
  tag: 'sessions',
  permission: 'sessions',
  table: deviceSessions,
  view: contract.DeviceSession,
  create: contract.EndSession,
  patch: contract.EndSession,
  query: contract.SessionQuery,
  references: { userId: { to: users, problem: accountProblems.userNotFound } },
  problems: { notFound: accountProblems.sessionNotFound },
})

export const apiKey = defineResource({
  noun: 'api key',
  plural: 'api keys',
  tag: 'api keys',
  permission: 'keys',
  table: apiKeys,
  view: contract.ApiKey,
  create: contract.CreateApiKey,
  patch: contract.CreateApiKey,
  query: contract.ApiKeyQuery,
  searches: ['name'],
  references: { accountId: toAccount },
  problems: { notFound: accountProblems.keyNotFound },
})

export const auditRecord = defineResource({
  noun: 'audit record',
  plural: 'audit log',
  tag: 'audit log',
  permission: 'audit',
  table: auditLog,
  view: contract.AuditRecord,
  create: contract.AuditRecord,
  patch: contract.AuditRecord,
  query: contract.AuditQuery,
  filters: auditFilters,
  references: {},
  problems: { notFound: accountProblems.auditNotFound },
})
