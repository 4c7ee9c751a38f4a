import type { ProblemKind } from '../../platform/problem.ts'

export const reportProblems = {
  rangeInvalid: {
    code: 'REPORT_RANGE_INVALID',
    status: 400,
    title: 'A report covers 1 to 800 days',
    remedy: 'Send `from` before `to`, or a `period`. Split longer ranges into several reports.',
  },
  sortUnknown: {
    code: 'REPORT_SORT_UNKNOWN',
    status: 400,
    title: 'The report cannot be sorted by this column',
    remedy: 'Sort by a dimension or metric of the report.',
  },
  reachRefused: {
    code: 'REPORT_REACH_REFUSED',
    status: 400,
    title: 'Reach is not available for this report',
    remedy: 'Leave out `reach`, or use the dimensions that the detail names.',
  },
  channelsRefused: {
    code: 'REPORT_CHANNELS_REFUSED',
    status: 400,
    title: 'Channels cannot be compared in this report',
    remedy:
      'Use UTC days, weeks or months, advertisers, campaigns, ad sets or ads, and metrics that every channel reports. Or leave out `channel`.',
  },
  savedNotFound: {
    code: 'SAVED_REPORT_NOT_FOUND',
    status: 404,
    title: 'There is no such saved report',
  },
  nobodyToSendTo: {
    code: 'SAVED_REPORT_WITHOUT_RECIPIENT',
    status: 400,
    title: 'A report with a schedule needs a recipient',
    remedy: 'Give `recipientId`, or leave `every` out.',
  },
  exportNotFound: {
    code: 'REPORT_EXPORT_NOT_FOUND',
    status: 404,
    title: 'There is no such export',
  },
  exportNotReady: {
    code: 'REPORT_EXPORT_NOT_READY',
    status: 409,
    title: 'The file of this export is not ready yet',
    remedy: 'Read the export until its `status` is `ready`.',
  },
  exportGone: {
    code: 'REPORT_EXPORT_GONE',
    status: 410,
    title: 'The file of this export is deleted',
    remedy: 'Order it again with `POST /reports/exports`.',
  },
  exportsAtOnce: {
    code: 'REPORT_EXPORTS_AT_ONCE',
    status: 429,
    title: 'Your account is reading its maximum number of exports',
    remedy:
      'Finish reading one, or order the file with `POST /reports/exports` and download it when it is ready.',
  },
  exportsWaiting: {
    code: 'REPORT_EXPORTS_WAITING',
    status: 429,
    title: 'Your account has its maximum number of waiting exports',
    remedy: 'Wait until one of them is ready.',
  },
} satisfies Record<string, ProblemKind>
