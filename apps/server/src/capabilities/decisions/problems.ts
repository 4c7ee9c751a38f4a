import type { ProblemKind } from '../../platform/problem.ts'

export const decisionProblems = {
  notFound: {
    code: 'DECISION_NOT_FOUND',
    status: 404,
    title: 'There is no record of that decision. It never existed, or its retention has ended',
  },
  contextTooLong: {
    code: 'CONTEXT_TOO_LONG',
    status: 400,
    title: 'What was said about the reader makes a longer token than ad requests may carry',
    remedy:
      'Name fewer or shorter segments, or store them with `PUT /api/v1/users/{userKey}/segments`.',
  },
} satisfies Record<string, ProblemKind>
