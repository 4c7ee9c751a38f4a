import type { ProblemKind } from '../../platform/problem.ts'

export const firstStepProblems = {
  mailNotSet: {
    code: 'MAIL_NOT_SET',
    status: 409,
    title: 'No mail server is set',
    remedy: 'Set SMTP_URL, MAIL_FROM and PUBLIC_URL, start Placard again, and repeat the request.',
  },
  noAddress: {
    code: 'TEST_MAIL_NEEDS_USER',
    status: 409,
    title: 'A test mail goes to the user who asks for it',
    remedy: 'Sign in as a user: an API key has no e-mail address.',
  },
} satisfies Record<string, ProblemKind>
