import type { ProblemKind } from '../../platform/problem.ts'

export const trackingProblems = {
  linkForged: {
    code: 'TRACKING_LINK_INVALID',
    status: 400,
    title: 'The tracking link was not made here',
  },
  destinationUnknown: {
    code: 'CLICK_DESTINATION_UNKNOWN',
    status: 404,
    title: 'The ad has no destination any more',
  },
  eventsRefused: {
    code: 'EVENTS_NOT_TAKEN',
    status: 503,
    title: 'Events cannot be kept safely right now: send them again',
  },
  conversionTooOld: {
    code: 'CONVERSION_TOO_OLD',
    status: 400,
    title: 'The conversion is older than can be taken',
  },
} satisfies Record<string, ProblemKind>
