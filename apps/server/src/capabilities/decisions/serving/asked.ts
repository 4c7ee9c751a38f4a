import type { RequestLimits } from '@placard/decision-engine'

/** What the record of a decision keeps of the question beyond its placement, as JSON. */
export interface Asked {
  /** By type: whose placements the request stood for, and its own floor. */
  readonly publisherKey?: number | undefined
  readonly floorMicros?: number | undefined
  /** The client's own name for the place: an impression's id, a slot, a division. */
  readonly place?: string | undefined
  readonly limits?: AskedLimits | undefined
  readonly bannersMax?: number | undefined
  readonly oncePerCampaign?: boolean | undefined
  /** Who passed the request on, as the request says; at most ten nodes. */
  readonly supplyChain?: unknown
  /** What else the door needs to explain its answer, in its own words. */
  readonly said?: Readonly<Record<string, unknown>> | undefined
}

/** `RequestLimits` as JSON, without what only the door can judge. */
export interface AskedLimits {
  readonly sizes?: readonly string[] | undefined
  readonly formats?: readonly string[] | undefined
  readonly blockedBanners?: readonly number[] | undefined
  readonly blockedAdvertisers?: readonly number[] | undefined
  readonly blockedAdProducts?: readonly string[] | undefined
  readonly campaigns?: readonly number[] | undefined
  readonly pricing?: RequestLimits['pricing']
  readonly bookedFloorMicros?: number | undefined
  readonly dealFloorsMicros?:
    | readonly (readonly [campaignKey: number, micros: number])[]
    | undefined
}

export function packLimits(limits: RequestLimits): AskedLimits {
  const { sizes, formats, campaigns, dealFloorsMicros, pricing, bookedFloorMicros } = limits
  const { blockedBanners, blockedAdvertisers, blockedAdProducts } = limits
  return {
    sizes: sizes && [...sizes],
    formats: formats && [...formats],
    blockedBanners: blockedBanners && [...blockedBanners],
    blockedAdvertisers: blockedAdvertisers && [...blockedAdvertisers],
    blockedAdProducts: blockedAdProducts && [...blockedAdProducts],
    campaigns: campaigns && [...campaigns],
    pricing,
    bookedFloorMicros,
    dealFloorsMicros: dealFloorsMicros && [...dealFloorsMicros],
  }
}

/** The limits that a record kept: an explanation decides within them again. */
export function unpackLimits(asked: AskedLimits): RequestLimits {
  const { sizes, formats, campaigns, dealFloorsMicros, pricing, bookedFloorMicros } = asked
  const { blockedBanners, blockedAdvertisers, blockedAdProducts } = asked
  return {
    sizes: sizes && new Set(sizes),
    formats: formats && new Set(formats),
    blockedBanners: blockedBanners && new Set(blockedBanners),
    blockedAdvertisers: blockedAdvertisers && new Set(blockedAdvertisers),
    blockedAdProducts: blockedAdProducts && new Set(blockedAdProducts),
    campaigns: campaigns && new Set(campaigns),
    pricing,
    bookedFloorMicros,
    dealFloorsMicros: dealFloorsMicros && new Map(dealFloorsMicros),
  }
}

/** Within both: a client may narrow what the reader's consent leaves. */
export function bothLimits(
  a: RequestLimits | undefined,
  b: RequestLimits | undefined,
): RequestLimits | undefined {
  if (a?.blockedAdProducts === undefined || b === undefined) return b ?? a
  const blockedAdProducts = new Set([...a.blockedAdProducts, ...(b.blockedAdProducts ?? [])])
  return { ...b, blockedAdProducts }
}
