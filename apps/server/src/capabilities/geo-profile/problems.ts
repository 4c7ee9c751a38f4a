import type { ProblemKind } from '../../platform/problem.ts'

/** The codes of the platform that this service speaks with its neighbours. */
export const geoProblems = {
  malformed: {
    code: 'invalid_request',
    status: 400,
    title: 'The message is not an observation',
    remedy: 'Send a FlatBuffers message with the identifier GPO1; `packages/client` makes them.',
  },
  queueUnavailable: {
    code: 'service_unavailable',
    status: 503,
    title: 'The observation could not be kept',
    remedy: 'Drop it: the next request of the session brings another.',
  },
  subjectNotFound: {
    code: 'subject_not_found',
    status: 404,
    title: 'Nothing is known of that user, or of that version',
    remedy:
      'Compare the id with the one that the User Service has, and the version with the profile.',
  },
  changePending: {
    code: 'conflict',
    status: 409,
    title: 'Another change of the declared country is not finished',
    remedy: 'Retry or abandon the version that the detail names.',
  },
  changeKeyReused: {
    code: 'idempotency_key_reused',
    status: 409,
    title: 'That idempotency_key came with another country before',
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
    title: 'Somebody is looking at your declared country',
    remedy: 'Ask those who run the platform: they decide, and can change it for you.',
  },
  changedLately: {
    code: 'declared_country_changed_lately',
    status: 409,
    title: 'You changed your declared country in the last 30 days',
    remedy: 'Ask those who run the platform, or wait until the day that the detail names.',
  },
  syncFailed: {
    code: 'sync_failed',
    status: 503,
    title: 'The User Service did not take the country; the change is recorded and can be retried',
    remedy: 'Retry the version that the detail names; nothing is lost.',
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
    title: 'The block action is decided already',
    remedy:
      'Read it again. A blocked session can be unblocked, one that is on its way in a moment.',
  },
} satisfies Record<string, ProblemKind>
