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
    title: 'The proposal is no longer pending',
    remedy: 'Reload it. It was decided or withdrawn in the meantime.',
  },
} satisfies Record<string, ProblemKind>
