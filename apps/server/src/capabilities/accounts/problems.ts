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
    remedy: 'Deactivate or delete its users first.',
  },
  userNotFound: { code: 'USER_NOT_FOUND', status: 404, title: 'There is no such user' },
  userAlreadyDeleted: {
    code: 'USER_ALREADY_DELETED',
    status: 400,
    title: 'The user is already deleted',
  },
  userNotDeleted: { code: 'USER_NOT_DELETED', status: 400, title: 'The user is not deleted' },
  emailExists: {
    code: 'EMAIL_EXISTS',
    status: 409,
    title: 'Somebody has that e-mail address',
    remedy: 'Use another address, or restore the user that has it.',
  },
  roleNotForAccount: {
    code: 'ROLE_NOT_FOR_ACCOUNT',
    status: 400,
    title: 'That kind of account cannot hold the role',
    remedy: 'Choose a role of that kind of account, or another account.',
  },
  lastOperator: {
    code: 'LAST_OPERATOR',
    status: 409,
    title: 'The platform needs an active operator',
    remedy: 'Make somebody else an operator first.',
  },
  tooManyKeys: {
    code: 'TOO_MANY_API_KEYS',
    status: 409,
    title: 'An account has at most 100 API keys that work',
    remedy: 'Revoke keys that are not used any more.',
  },
  signInRefused: {
    code: 'SIGN_IN_REFUSED',
    status: 401,
    title: 'The e-mail address or the password is not right',
    remedy: 'Check both, and try again.',
  },
  passwordWrong: {
    code: 'PASSWORD_WRONG',
    status: 400,
    title: 'The current password is not right',
    remedy: 'Send the password that you sign in with now.',
  },
  refreshRefused: {
    code: 'REFRESH_REFUSED',
    status: 401,
    title: 'The refresh token is used, expired or unknown: sign in again',
    remedy: 'Sign in again; if it was used twice, somebody else may have had it.',
  },
  sessionEnded: {
    code: 'SESSION_ENDED',
    status: 401,
    title: 'The session is over: sign in again',
    remedy: 'Sign in again.',
  },
  sessionBlocked: {
    code: 'SESSION_BLOCKED',
    status: 401,
    title: 'The session was blocked to protect the account',
    remedy: 'Ask those who run the platform; signing in opens another session.',
  },
  sessionNotFound: { code: 'SESSION_NOT_FOUND', status: 404, title: 'There is no such session' },
  keyNotFound: { code: 'API_KEY_NOT_FOUND', status: 404, title: 'There is no such API key' },
  keyRefused: {
    code: 'API_KEY_REFUSED',
    status: 401,
    title: 'The API key is unknown, expired or revoked',
    remedy: 'Ask for a new key.',
  },
  tokenRefused: {
    code: 'ACCESS_TOKEN_REFUSED',
    status: 401,
    title: 'The access token is not valid or has expired',
    remedy: 'Refresh it, or sign in again.',
  },
  scopeRefused: {
    code: 'SCOPE_REFUSED',
    status: 400,
    title: 'A key cannot carry a scope beyond its account or its maker',
    remedy: 'Leave out the scopes that the detail names.',
  },
  auditNotFound: { code: 'AUDIT_RECORD_NOT_FOUND', status: 404, title: 'There is no such record' },
} satisfies Record<string, ProblemKind>
