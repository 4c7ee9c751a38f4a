import type { ProblemKind } from '../../platform/problem.ts'

/** Problem codes that other services know too. */
export const geoProblems = {
  malformed: {
    code: 'invalid_request',
    status: 400,
    title: 'The message is not an observation',
    remedy: 'Send a FlatBuffers message with the identifier GPO1. `packages/client` builds them.',
  },
  queueUnavailable: {
    code: 'service_unavailable',
    status: 503,
    title: 'The observation could not be stored',
    remedy: 'Drop it. The session’s next request will bring another.',
  },
  subjectNotFound: {
    code: 'subject_not_found',
    status: 404,
    title: 'The user or the version is unknown',
    remedy: 'Compare the id with the User Service, and the version with the profile.',
  },
  changePending: {
    code: 'conflict',
    status: 409,
    title: 'Another change of the declared country is still open',
    remedy: 'Retry or abandon the version in the detail.',
  },
  changeKeyReused: {
    code: 'idempotency_key_reused',
    status: 409,
    title: 'The idempotency_key was already used for another country',
    remedy: 'Send a new key with a new change.',
  },
  userServiceAway: {
    code: 'service_unavailable',
    status: 503,
    title: 'The User Service does not answer',
    remedy: 'Try again; nothing was changed.',
  },
  underReview: {
    code: 'declared_country_under_review',
    status: 409,
    title: 'Your declared country is under review',
    remedy: 'Contact the operator of the platform, who can change it for you.',
  },
  changedLately: {
    code: 'declared_country_changed_lately',
    status: 409,
    title: 'You changed your declared country in the last 30 days',
    remedy: 'Wait until the day in the detail, or contact the operator of the platform.',
  },
  syncFailed: {
    code: 'sync_failed',
    status: 503,
    title: 'The User Service did not accept the country. The change is recorded and can be retried',
    remedy: 'Retry the version in the detail. Nothing is lost.',
  },
  blockActionNotFound: {
    code: 'block_action_not_found',
    status: 404,
    title: 'There is no such block action',
    remedy: "Take the id from the user's geo profile.",
  },
  blockActionDecided: {
    code: 'block_action_decided',
    status: 409,
    title: 'The block action is already decided',
    remedy:
      'Reload it. A blocked session can be unblocked; wait a moment if the block is still in progress.',
  },
} satisfies Record<string, ProblemKind>
