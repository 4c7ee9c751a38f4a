import {
  decide,
  type Decision,
  explain,
  type Placement,
  type Reason,
  type RequestLimits,
  seededDraws,
} from '@placard/decision-engine'
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
  /** No campaign twice among its banners. */
  readonly oncePerCampaign?: boolean | undefined
  readonly asked?: Omit<Asked, 'limits' | 'bannersMax' | 'oncePerCampaign'> | undefined
}

export interface DoorRequest extends AdRequest {
  readonly door: Door
  readonly holdTimes: HoldTimes
  readonly asks: readonly DoorAsk[]
  /** Also find out why the places stay empty. It judges every candidate, which takes longer. */
  readonly tellsReasons?: boolean | undefined
}

/** How many candidates each reason stopped. */
export type ReasonCounts = Partial<Record<Reason | 'won', number>>

export interface DoorServed extends Served {
  readonly reasons: ReasonCounts | undefined
}

interface Judged {
  readonly decision: Decision
  readonly counts?: ReasonCounts | undefined
}

/** Fills each place by itself, within what the client limited; holds end as the door says. */
export function serveDoor(
  deps: ServeDeps,
  doorRequest: DoorRequest,
): MaybePromise<readonly DoorServed[]> {
  const { asks, door, holdTimes, tellsReasons } = doorRequest
  const state = openRequest({ ...deps, holdTimes }, doorRequest)
  const { nowMs, userKnown } = state
  const within = asks.map(({ limits }) => bothLimits(state.limits, limits))
  let reasons: readonly (ReasonCounts | undefined)[] = []
  const decided = decideHeld(state, (live) => {
    const judged = asks.map((ask, at): Judged => {
      const { placement, floorMicros, bannersMax, oncePerCampaign } = ask
      const request = {
        placementKey: placement.key,
        nowMs,
        userKnown,
        context: state.context,
        limits: within[at],
        floorMicros,
        bannersMax,
        oncePerCampaign,
      }
      const ports = { live, draws: seededDraws(state.seed + at) }
      return tellsReasons === true
        ? explain(deps.catalogue.index, request, ports)
        : { decision: decide(deps.catalogue.index, request, ports) }
    })
    reasons = judged.map(({ counts }) => counts)
    return judged.map(({ decision }) => decision)
  })
  return mapMaybe(decided, (decisions) =>
    asks.map(({ placement, bannersMax, oncePerCampaign, asked }, at) => ({
      ...conclude(state, {
        kind: door,
        placementKey: placement.key,
        placementType: placement.type,
        siteKey: placement.siteKey,
        asked: {
          ...asked,
          bannersMax,
          oncePerCampaign,
          limits: within[at] && packLimits(within[at]),
        },
        seed: state.seed + at,
        decision: decisions[at]!,
      }),
      reasons: reasons[at],
    })),
  )
}
