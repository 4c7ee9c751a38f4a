import type { ProblemKind } from '../../platform/problem.ts'

export const decisionProblems = {
  notFound: {
    code: 'DECISION_NOT_FOUND',
    status: 404,
    title: 'There is no record of that decision. It never existed, or its retention has ended',
  },
} satisfies Record<string, ProblemKind>
