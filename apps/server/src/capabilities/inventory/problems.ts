import type { ProblemKind } from '../../platform/problem.ts'

export const siteProblems = {
  notFound: { code: 'SITE_NOT_FOUND', status: 404, title: 'There is no such site' },
} satisfies Record<string, ProblemKind>

export const placementProblems = {
  notFound: { code: 'PLACEMENT_NOT_FOUND', status: 404, title: 'There is no such placement' },
} satisfies Record<string, ProblemKind>
