import type { ProblemKind } from '../problem.ts'

export const switchProblems = {
  notFound: { code: 'SWITCH_NOT_FOUND', status: 404, title: 'There is no such switch' },
  changed: {
    code: 'SWITCH_CHANGED',
    status: 412,
    title: 'The switch was turned by somebody else meanwhile',
    remedy: 'Read the switches again.',
  },
} satisfies Record<string, ProblemKind>
