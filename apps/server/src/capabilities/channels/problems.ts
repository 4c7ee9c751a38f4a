import type { ProblemKind } from '../../platform/problem.ts'

export const connectionProblems = {
  alreadyDeleted: {
    code: 'CONNECTION_ALREADY_DELETED',
    status: 400,
    title: 'The connection is already deleted',
  },
  notDeleted: {
    code: 'CONNECTION_NOT_DELETED',
    status: 400,
    title: 'The connection is not deleted',
  },
  mockRefused: {
    code: 'MOCK_PROVIDER_REFUSED',
    status: 409,
    title: 'The mock provider is not available in production',
    remedy: 'Choose another provider, or set MOCK_PROVIDER=allowed.',
  },
} satisfies Record<string, ProblemKind>

export const syncProblems = {
  dayToCome: {
    code: 'SYNC_DAY_TO_COME',
    status: 400,
    title: 'The day is in the future',
    remedy: 'Choose today (UTC) or an earlier day.',
  },
  rangeInvalid: {
    code: 'CHANNEL_RANGE_INVALID',
    status: 400,
    title: 'The range of days is empty, too long, or ends in the future',
    remedy: 'Send `from` before `to`, and a shorter range.',
  },
  syncNotFound: {
    code: 'SYNC_NOT_FOUND',
    status: 404,
    title: 'There is no such sync',
    remedy: 'Syncs are kept for 30 days. Use an id that a sync request returned.',
  },
  alertNotFound: { code: 'ALERT_NOT_FOUND', status: 404, title: 'There is no such alert' },
  backfillNotFound: {
    code: 'BACKFILL_NOT_FOUND',
    status: 404,
    title: 'There is no such backfill',
  },
} satisfies Record<string, ProblemKind>
