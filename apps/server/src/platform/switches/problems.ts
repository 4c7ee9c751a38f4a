import type { ProblemKind } from '../problem.ts'

export const switchProblems = {
  notFound: { code: 'SWITCH_NOT_FOUND', status: 404, title: 'There is no such switch' },
  changed: {
    code: 'SWITCH_CHANGED',
    status: 412,
    title: 'Somebody else has turned the switch since you read it',
    remedy: 'Read the switches again.',
  },
} satisfies Record<string, ProblemKind>
