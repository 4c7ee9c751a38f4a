import { decide, type Placement, type RequestLimits, seededDraws } from '@placard/decision-engine'
import { type Asked, bothLimits, packLimits } from './asked.ts'
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
  const within = asks.map(({ limits }) => bothLimits(state.limits, limits))
  const decided = decideHeld(state, (live) =>
    asks.map(({ placement, floorMicros, bannersMax }, at) =>
      decide(
        deps.catalogue.index,
        {
          placementKey: placement.key,
          nowMs,
          userKnown,
          context: state.context,
          limits: within[at],
          floorMicros,
          bannersMax,
        },
        { live, draws: seededDraws(state.seed + at) },
      ),
    ),
  )
  return mapMaybe(decided, (decisions) =>
    asks.map(({ placement, bannersMax, asked }, at) =>
      conclude(state, {
        kind: door,
        placementKey: placement.key,
        placementType: placement.type,
        siteKey: placement.siteKey,
        asked: { ...asked, bannersMax, limits: within[at] && packLimits(within[at]) },
        seed: state.seed + at,
        decision: decisions[at]!,
      }),
    ),
  )
}
