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
    title: 'Another user has that e-mail address',
    remedy: 'Use another address, or restore the user that has it.',
  },
  roleNotForAccount: {
    code: 'ROLE_NOT_FOR_ACCOUNT',
    status: 400,
    title: 'This kind of account cannot have that role',
    remedy: 'Choose a role that fits the account, or another account.',
  },
  lastOperator: {
    code: 'LAST_OPERATOR',
    status: 409,
    title: 'The platform needs an active operator',
    remedy: 'Make another user an operator first.',
  },
  tooManyKeys: {
    code: 'TOO_MANY_API_KEYS',
    status: 409,
    title: 'An account has at most 100 working API keys',
    remedy: 'Revoke keys that are not used any more.',
  },
  signInRefused: {
    code: 'SIGN_IN_REFUSED',
    status: 401,
    title: 'The e-mail address or the password is wrong',
    remedy: 'Check both, and try again.',
  },
  signInBusy: {
    code: 'SIGN_IN_BUSY',
    status: 503,
    title: 'Too many people are signing in right now',
    remedy: 'Try again after `Retry-After` seconds.',
  },
  passwordWrong: {
    code: 'PASSWORD_WRONG',
    status: 400,
    title: 'The current password is wrong',
    remedy: 'Enter the password that you sign in with now.',
  },
  linkRefused: {
    code: 'LINK_REFUSED',
    status: 400,
    title: 'The link was used before, has expired or is incomplete',
    remedy: 'Ask for a new link on the sign-in page, or ask an operator.',
  },
  mailNotSet: {
    code: 'MAIL_NOT_SET',
    status: 409,
    title: 'No mail server is set up',
    remedy: 'Ask an operator, who can create a link and give it to you.',
  },
  userNotActive: {
    code: 'USER_NOT_ACTIVE',
    status: 409,
    title: 'The user is deactivated',
    remedy: 'Activate the user first.',
  },
  refreshRefused: {
    code: 'REFRESH_REFUSED',
    status: 401,
    title: 'The refresh token was used before, has expired or is unknown',
    remedy: 'Sign in again. A token that was used twice may have been stolen.',
  },
  sessionEnded: {
    code: 'SESSION_ENDED',
    status: 401,
    title: 'The session has ended',
    remedy: 'Sign in again.',
  },
  sessionBlocked: {
    code: 'SESSION_BLOCKED',
    status: 401,
    title: 'The session was blocked to protect the account',
    remedy:
      'Sign in again to open a new session, and change the password. The detail says why, and whom to ask.',
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
    title: 'A key cannot have a scope that its account or its creator lacks',
    remedy: 'Remove the scopes named in `detail`.',
  },
  auditNotFound: {
    code: 'AUDIT_RECORD_NOT_FOUND',
    status: 404,
    title: 'There is no such audit record',
  },
} satisfies Record<string, ProblemKind>
