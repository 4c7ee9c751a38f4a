import type { ProblemKind } from '../../platform/problem.ts'

export const advertiserProblems = {
  notFound: { code: 'ADVERTISER_NOT_FOUND', status: 404, title: 'There is no such advertiser' },
  alreadyDeleted: {
    code: 'ADVERTISER_ALREADY_DELETED',
    status: 400,
    title: 'The advertiser is already deleted',
  },
  notDeleted: {
    code: 'ADVERTISER_NOT_DELETED',
    status: 400,
    title: 'The advertiser is not deleted',
  },
} satisfies Record<string, ProblemKind>
