import type { ProblemKind } from '../../platform/problem.ts'

export const connectionProblems = {
  alreadyDeleted: {
    code: 'CONNECTION_ALREADY_DELETED',
    status: 400,
    title: 'The connection is already deleted',
  },
  notDeleted: {
    code: 'CONNECTION_NOT_DELETED',
    status: 400,
    title: 'The connection is not deleted',
  },
  mockRefused: {
    code: 'MOCK_PROVIDER_REFUSED',
    status: 409,
    title: 'Made-up figures are not for production',
    remedy: 'Choose another provider, or set MOCK_PROVIDER=allowed.',
  },
} satisfies Record<string, ProblemKind>
