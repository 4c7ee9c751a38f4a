import type { ProblemKind } from '../../platform/problem.ts'

export const proposalProblems = {
  notFound: {
    code: 'PROPOSAL_NOT_FOUND',
    status: 404,
    title: 'There is no such proposal',
  },
  decided: {
    code: 'PROPOSAL_DECIDED',
    status: 409,
    title: 'The proposal is not pending any more',
    remedy: 'Read it again: somebody decided it, or it was withdrawn.',
  },
} satisfies Record<string, ProblemKind>
