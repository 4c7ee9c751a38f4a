import type { ProblemKind } from '../../platform/problem.ts'

export const trackingProblems = {
  linkForged: {
    code: 'TRACKING_LINK_INVALID',
    status: 400,
    title: 'The tracking link was not issued by this server',
    remedy: 'Use tracking links exactly as they were served.',
  },
  destinationUnknown: {
    code: 'CLICK_DESTINATION_UNKNOWN',
    status: 404,
    title: 'The ad has no landing page any more',
    remedy: 'Nothing to do: the ad was deleted. Request ads again for the page.',
  },
  eventsRefused: {
    code: 'EVENTS_NOT_TAKEN',
    status: 503,
    title: 'Events cannot be stored right now',
    remedy: 'Send the same events again after a few seconds. Repeats count once.',
  },
  conversionTooOld: {
    code: 'CONVERSION_TOO_OLD',
    status: 400,
    title: 'The conversion is older than the attribution window',
    remedy: 'Send conversions within the attribution window.',
  },
  orderMissing: {
    code: 'CONVERSION_ORDER_MISSING',
    status: 400,
    title: 'A purchase needs its order id',
    remedy: 'Send `orderId`, the number of the order in your shop.',
  },
} satisfies Record<string, ProblemKind>
