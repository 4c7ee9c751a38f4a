import type { ProblemKind } from '../../platform/problem.ts'

export const trackingProblems = {
  linkForged: {
    code: 'TRACKING_LINK_INVALID',
    status: 400,
    title: 'The tracking link was not made here',
    remedy: 'Use links as they were served: they cannot be made or changed elsewhere.',
  },
  destinationUnknown: {
    code: 'CLICK_DESTINATION_UNKNOWN',
    status: 404,
    title: 'The ad has no destination any more',
    remedy: 'Nothing; the ad is gone. Serve the page again for a live one.',
  },
  eventsRefused: {
    code: 'EVENTS_NOT_TAKEN',
    status: 503,
    title: 'Events cannot be kept safely right now: send them again',
    remedy: 'Send the same events again after a while: repeats count once.',
  },
  conversionTooOld: {
    code: 'CONVERSION_TOO_OLD',
    status: 400,
    title: 'The conversion is older than can be taken',
    remedy: 'Send conversions within the attribution window.',
  },
  orderMissing: {
    code: 'CONVERSION_ORDER_MISSING',
    status: 400,
    title: 'A purchase needs its order id',
    remedy: 'Send `orderId`, the number of the order in your shop.',
  },
} satisfies Record<string, ProblemKind>
