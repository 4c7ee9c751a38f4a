import type { ProblemKind } from '../../platform/problem.ts'

export const budgetProblems = {
  notFound: {
    code: 'BUDGET_NOT_FOUND',
    status: 404,
    title: 'The campaign has no budget here',
    remedy: 'Choose a campaign of the channel `onsite`. Others spend on their own channel.',
  },
} satisfies Record<string, ProblemKind>
