import type { ProblemKind } from '../problem.ts'

export const jobProblems = {
  notFound: {
    code: 'JOB_NOT_FOUND',
    status: 404,
    title: 'There is no such job',
    remedy: 'List the queues: they name every job.',
  },
} satisfies Record<string, ProblemKind>
