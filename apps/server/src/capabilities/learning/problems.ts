import type { ProblemKind } from '../../platform/problem.ts'

export const learningProblems = {
  changed: {
    code: 'BID_AGENT_CHANGED',
    status: 409,
    title: 'The bid agent was changed meanwhile',
    remedy: 'Try again.',
  },
} satisfies Record<string, ProblemKind>
