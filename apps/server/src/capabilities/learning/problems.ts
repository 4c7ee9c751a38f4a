import type { ProblemKind } from '../../platform/problem.ts'

export const learningProblems = {
  changed: {
    code: 'BID_AGENT_CHANGED',
    status: 409,
    title: 'Another change to the bid agent came first',
    remedy: 'Load the bid agent again and repeat the change.',
  },
} satisfies Record<string, ProblemKind>
