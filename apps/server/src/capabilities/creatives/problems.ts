import type { ProblemKind } from '../../platform/problem.ts'

export const bannerProblems = {
  notFound: { code: 'BANNER_NOT_FOUND', status: 404, title: 'There is no such banner' },
} satisfies Record<string, ProblemKind>
