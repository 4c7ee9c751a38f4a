import type { ProblemKind } from '../../platform/problem.ts'

export const reportProblems = {
  rangeInvalid: {
    code: 'REPORT_RANGE_INVALID',
    status: 400,
    title: 'The range of a report is 1 to 800 days',
    remedy: 'Give `from` and `to` in order, or a `period`; ask for longer times in parts.',
  },
  sortUnknown: {
    code: 'REPORT_SORT_UNKNOWN',
    status: 400,
    title: 'A report is sorted by what it shows',
    remedy: 'Sort by dimensions and metrics that are asked for.',
  },
  reachRefused: {
    code: 'REPORT_REACH_REFUSED',
    status: 400,
    title: 'Readers are not counted that way',
    remedy: 'Leave `reach` out, or ask by what readers are counted of.',
  },
  channelsRefused: {
    code: 'REPORT_CHANNELS_REFUSED',
    status: 400,
    title: 'Channels are not compared that way',
    remedy:
      'Ask by UTC day, week or month, advertiser, campaign, ad set or ad, for metrics that every channel tells; or leave `channel` out.',
  },
  savedNotFound: {
    code: 'SAVED_REPORT_NOT_FOUND',
    status: 404,
    title: 'There is no such saved report',
  },
  nobodyToSendTo: {
    code: 'SAVED_REPORT_WITHOUT_RECIPIENT',
    status: 400,
    title: 'A report that is sent has a recipient',
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
    title: 'The file of this export is not written yet',
    remedy: 'Read the export until its `status` is `ready`.',
  },
  exportGone: {
    code: 'REPORT_EXPORT_GONE',
    status: 410,
    title: 'This export has no file any more',
    remedy: 'Order it again with `POST /reports/exports`.',
  },
  exportsAtOnce: {
    code: 'REPORT_EXPORTS_AT_ONCE',
    status: 429,
    title: 'Your account is reading as many exports as it may',
    remedy:
      'Finish reading one, or order the file with `POST /reports/exports` and fetch it when it is ready.',
  },
  exportsWaiting: {
    code: 'REPORT_EXPORTS_WAITING',
    status: 429,
    title: 'As many exports of your account wait as may',
    remedy: 'Wait until one of them is ready.',
  },
} satisfies Record<string, ProblemKind>
