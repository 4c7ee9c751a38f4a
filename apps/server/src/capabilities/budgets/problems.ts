import type { ProblemKind } from '../../platform/problem.ts'

export const budgetProblems = {
  notFound: {
    code: 'BUDGET_NOT_FOUND',
    status: 404,
    title: 'The campaign has no budget here',
    remedy: 'Ask for a campaign of the channel `onsite`; others spend elsewhere.',
  },
} satisfies Record<string, ProblemKind>
