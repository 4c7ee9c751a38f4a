import type { Reason } from '@placard/decision-engine'
import type { ReasonCounts } from '../../decisions/index.ts'

/** Why an impression gets no bid, where no candidate was judged. */
export type Refusal =
  | 'bad-native'
  | 'consent'
  | 'currency'
  | 'media-type'
  | 'robot'
  | 'switched-off'
  | 'too-late'
  | 'unknown-placement'
  | 'wrong-publisher'

/** A reason in OpenRTB: in `seatnonbid`, and as `nbr` of the whole answer. */
export interface NoBid {
  readonly status: number
  readonly nbr: number
}

const NOTHING: NoBid = { status: 0, nbr: 0 }

const REFUSALS: Readonly<Record<Refusal, NoBid>> = {
  'bad-native': { status: 2, nbr: 2 },
  consent: { status: 204, nbr: 502 },
  currency: { status: 205, nbr: 503 },
  'media-type': { status: 202, nbr: 501 },
  robot: { status: 3, nbr: 3 },
  'switched-off': { status: 512, nbr: 512 },
  'too-late': { status: 15, nbr: 15 },
  'unknown-placement': { status: 200, nbr: 500 },
  'wrong-publisher': { status: 7, nbr: 7 },
}

const SIZE: NoBid = { status: 351, nbr: 505 }
const FORMAT: NoBid = { status: 353, nbr: 505 }
const ADVERTISER: NoBid = { status: 356, nbr: 505 }
const CATEGORY: NoBid = { status: 357, nbr: 505 }
const FLOOR: NoBid = { status: 301, nbr: 504 }
const DEAL_FLOOR: NoBid = { status: 304, nbr: 504 }
const CAPPED: NoBid = { status: 9, nbr: 9 }

const REASONS: Readonly<Partial<Record<Reason, NoBid>>> = {
  size: SIZE,
  format: FORMAT,
  'request-size': SIZE,
  'request-format': FORMAT,
  'native-asset': FORMAT,
  'request-video': FORMAT,
  'advertiser-blocked': ADVERTISER,
  'ad-product-blocked': CATEGORY,
  'child-reader': CATEGORY,
  'ad-frequency': CAPPED,
  'campaign-frequency': CAPPED,
  'advertiser-frequency': CAPPED,
  'below-floor': FLOOR,
  exhausted: { status: 510, nbr: 510 },
  'ahead-of-plan': { status: 511, nbr: 511 },
  'reservation-refused': { status: 510, nbr: 510 },
}

export const refusedFor = (refusal: Refusal): NoBid => REFUSALS[refusal]

/** What the request itself blocked or asked for: the engine's reasons do not tell these apart. */
export interface Blocks {
  readonly hasAdvertisers: boolean
  readonly hasDealFloors: boolean
}

/**
 * Of all reasons, the one of the candidate that came furthest. Nothing without reasons: most
 * requests do not ask for them.
 */
export function emptyFor(
  furthest: Reason | undefined,
  { hasAdvertisers, hasDealFloors }: Blocks,
): NoBid {
  if (furthest === 'request-blocked') return hasAdvertisers ? ADVERTISER : CATEGORY
  if (furthest === 'request-floor') return hasDealFloors ? DEAL_FLOOR : FLOOR
  return (furthest && REASONS[furthest]) ?? NOTHING
}

/** `order`: all reasons in the order of the gates. */
export const furthestOf = (
  counts: ReasonCounts | undefined,
  order: readonly Reason[],
): Reason | undefined => counts && order.findLast((reason) => counts[reason] !== undefined)
