import type { ProblemKind } from '../../platform/problem.ts'

export const changeSetProblems = {
  notFound: {
    code: 'CHANGE_SET_NOT_FOUND',
    status: 404,
    title: 'There is no such change set',
  },
  tooLarge: {
    code: 'CHANGE_SET_TOO_LARGE',
    status: 400,
    title: 'The selection is too large for one change set',
    remedy: 'Narrow the filter, and change the rest afterwards.',
  },
  othersFirst: {
    code: 'CHANGE_SETS_UNFINISHED',
    status: 409,
    title: 'Other change sets of the account are still being worked on',
    remedy: 'Wait until one of them is finished.',
  },
  notNow: {
    code: 'CHANGE_SET_NOT_NOW',
    status: 409,
    title: 'The change set is not in a state for this',
    remedy: 'Reload it. A draft is published; a published one is undone, once.',
  },
} satisfies Record<string, ProblemKind>
