import type { ProblemKind } from '../../platform/problem.ts'

export const accountProblems = {
  accountNotFound: { code: 'ACCOUNT_NOT_FOUND', status: 404, title: 'There is no such account' },
} satisfies Record<string, ProblemKind>
