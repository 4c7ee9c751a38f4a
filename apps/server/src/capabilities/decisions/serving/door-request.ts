import { decide, type Placement, type RequestLimits, seededDraws } from '@placard/decision-engine'
import {
  type AdRequest,
  decideHeld,
  mapMaybe,
  type MaybePromise,
  openRequest,
  type ServeDeps,
} from './ad-request.ts'
import type { HoldTimes } from './request-holds.ts'
import { conclude, type Served } from './serve.ts'

/** Sets of routes in the language of another ad server. A record names the door it came through. */
export const DOORS = ['openrtb', 'vast', 'kevel', 'topsort'] as const
export type Door = (typeof DOORS)[number]

/** What the record of a decision keeps of the question beyond its placement, as JSON. */
export interface Asked {
  /** By type: whose placements the request stood for, and its own floor. */
  readonly publisherKey?: number | undefined
  readonly floorMicros?: number | undefined
  /** The client's own name for the place: an impression's id, a slot, a division. */
  readonly place?: string | undefined
  readonly limits?: AskedLimits | undefined
  readonly bannersMax?: number | undefined
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

/** One place to fill. */
export interface DoorAsk {
  readonly placement: Placement
  readonly limits?: RequestLimits | undefined
  readonly floorMicros?: number | undefined
  readonly bannersMax?: number | undefined
  readonly asked?: Omit<Asked, 'limits' | 'bannersMax'> | undefined
}

export interface DoorRequest extends AdRequest {
  readonly door: Door
  readonly holdTimes: HoldTimes
  readonly asks: readonly DoorAsk[]
}

/** Fills each place by itself, within what the client limited; holds end as the door says. */
export function serveDoor(
  deps: ServeDeps,
  doorRequest: DoorRequest,
): MaybePromise<readonly Served[]> {
  const { asks, door, holdTimes } = doorRequest
  const state = openRequest({ ...deps, holdTimes }, doorRequest)
  const { nowMs, userKnown } = state
  const decided = decideHeld(state, (live) =>
    asks.map(({ placement, limits, floorMicros, bannersMax }, at) =>
      decide(
        deps.catalogue.index,
        {
          placementKey: placement.key,
          nowMs,
          userKnown,
          context: state.context,
          limits,
          floorMicros,
          bannersMax,
        },
        { live, draws: seededDraws(state.seed + at) },
      ),
    ),
  )
  return mapMaybe(decided, (decisions) =>
    asks.map(({ placement, limits, bannersMax, asked }, at) =>
      conclude(state, {
        kind: door,
        placementKey: placement.key,
        placementType: placement.type,
        siteKey: placement.siteKey,
        asked: { ...asked, bannersMax, limits: limits && packLimits(limits) },
        seed: state.seed + at,
        decision: decisions[at]!,
      }),
    ),
  )
}

function packLimits(limits: RequestLimits): AskedLimits {
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
