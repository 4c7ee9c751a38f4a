import type { ProblemKind } from '../../platform/problem.ts'

export const accountProblems = {
  accountNotFound: { code: 'ACCOUNT_NOT_FOUND', status: 404, title: 'There is no such account' },
  accountAlreadyDeleted: {
    code: 'ACCOUNT_ALREADY_DELETED',
    status: 400,
    title: 'The account is already deleted',
  },
  accountNotDeleted: {
    code: 'ACCOUNT_NOT_DELETED',
    status: 400,
    title: 'The account is not deleted',
  },
  accountInUse: {
    code: 'ACCOUNT_IN_USE',
    status: 409,
    title: 'The account still has active users',
  },
  userNotFound: { code: 'USER_NOT_FOUND', status: 404, title: 'There is no such user' },
  userAlreadyDeleted: {
    code: 'USER_ALREADY_DELETED',
    status: 400,
    title: 'The user is already deleted',
  },
  userNotDeleted: { code: 'USER_NOT_DELETED', status: 400, title: 'The user is not deleted' },
  emailExists: { code: 'EMAIL_EXISTS', status: 409, title: 'Somebody has that e-mail address' },
  roleNotForAccount: {
    code: 'ROLE_NOT_FOR_ACCOUNT',
    status: 400,
    title: 'That kind of account cannot hold the role',
  },
  lastOperator: {
    code: 'LAST_OPERATOR',
    status: 409,
    title: 'The platform needs an active operator',
  },
  signInRefused: {
    code: 'SIGN_IN_REFUSED',
    status: 401,
    title: 'The e-mail address or the password is not right',
  },
  passwordWrong: {
    code: 'PASSWORD_WRONG',
    status: 400,
    title: 'The current password is not right',
  },
  refreshRefused: {
    code: 'REFRESH_REFUSED',
    status: 401,
    title: 'The refresh token is used, expired or unknown: sign in again',
  },
  sessionEnded: {
    code: 'SESSION_ENDED',
    status: 401,
    title: 'The session is over: sign in again',
  },
  sessionBlocked: {
    code: 'SESSION_BLOCKED',
    status: 401,
    title: 'The session was blocked to protect the account',
  },
  sessionNotFound: { code: 'SESSION_NOT_FOUND', status: 404, title: 'There is no such session' },
  keyNotFound: { code: 'API_KEY_NOT_FOUND', status: 404, title: 'There is no such API key' },
  keyRefused: {
    code: 'API_KEY_REFUSED',
    status: 401,
    title: 'The API key is unknown, expired or revoked',
  },
  tokenRefused: {
    code: 'ACCESS_TOKEN_REFUSED',
    status: 401,
    title: 'The access token is not valid or has expired',
  },
  scopeRefused: {
    code: 'SCOPE_REFUSED',
    status: 400,
    title: 'A key cannot carry a scope beyond its account or its maker',
  },
  auditNotFound: { code: 'AUDIT_RECORD_NOT_FOUND', status: 404, title: 'There is no such record' },
} satisfies Record<string, ProblemKind>
