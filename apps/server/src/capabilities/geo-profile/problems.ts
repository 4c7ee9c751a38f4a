import type { ProblemKind } from '../../platform/problem.ts'

/** The codes of the platform that this service speaks with its neighbours. */
export const geoProblems = {
  malformed: {
    code: 'invalid_request',
    status: 400,
    title: 'The message is not an observation',
    remedy: 'Send a FlatBuffers message with the identifier GPO1; `packages/client` makes them.',
  },
  tooLarge: {
    code: 'payload_too_large',
    status: 413,
    title: 'An observation has at most 1024 bytes',
    remedy: 'Send one observation per message, with ids of at most 128 bytes.',
  },
  notBinary: {
    code: 'unsupported_media_type',
    status: 415,
    title: 'An observation is sent as application/octet-stream',
    remedy: 'Set the content type.',
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
  },
  changePending: {
    code: 'conflict',
    status: 409,
    title: 'Another change of the declared country is not finished',
    remedy: 'Retry or abandon the version that the detail names.',
  },
  syncFailed: {
    code: 'sync_failed',
    status: 503,
    title: 'The User Service did not take the country; the change is recorded and can be retried',
    remedy: 'Retry the version that the detail names; nothing is lost.',
  },
  notRetryable: {
    code: 'version_closed',
    status: 409,
    title: 'That version is finished',
    remedy: 'Read the versions again; a finished one stays as it is.',
  },
  notRecommended: {
    code: 'not_recommended',
    status: 409,
    title: 'No review is recommended for that user',
  },
  blockActionNotFound: {
    code: 'block_action_not_found',
    status: 404,
    title: 'There is no such block action',
  },
  blockActionDecided: {
    code: 'block_action_decided',
    status: 409,
    title: 'The block action is decided already',
    remedy: 'Read it again; a session is released by signing in anew.',
  },
} satisfies Record<string, ProblemKind>
