import type { ProblemKind } from '../../platform/problem.ts'

export const reportProblems = {
  rangeInvalid: {
    code: 'REPORT_RANGE_INVALID',
    status: 400,
    title: 'The range of a report is 1 to 800 days',
    remedy: 'Give `from` and `to` in order; ask for longer times in parts.',
  },
  sortUnknown: {
    code: 'REPORT_SORT_UNKNOWN',
    status: 400,
    title: 'A report is sorted by what it shows',
    remedy: 'Sort by dimensions and metrics that are asked for.',
  },
} satisfies Record<string, ProblemKind>
