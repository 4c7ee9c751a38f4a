import { type CapabilityModule, type ProcessBase, routeGroup } from '../../platform/module.ts'
import type { Config } from '../../settings/config.ts'
import type { ServingDeps } from '../decisions/index.ts'
import { createProductsOfCategories } from '../contextual/index.ts'
import { rememberBots } from '../tracking/index.ts'
import { allowanceOf } from './shared/allowance.ts'
import { robotsAmong } from './shared/robots.ts'
import { openRtbRoutes } from './openrtb/routes.ts'
import { openDoor } from './shared/door.ts'
import { createDoorMetrics } from './shared/metrics.ts'
import { vastRoutes } from './vast/routes.ts'

export interface DoorsServingDeps extends Pick<ProcessBase, 'metrics'> {
  readonly config: Pick<
    Config,
    'OPENRTB_HOLD_SECONDS' | 'RESERVATION_VIDEO_SECONDS' | 'RESERVATION_UNVOUCHED_SECONDS'
  >
  readonly serving: ServingDeps
}

/** Anybody may ask why there is no bid, and finding out judges every candidate. */
const EXPLAINING_MS_PER_SECOND = 50

/** The doors of a node. Each is a group of routes over the same decisions. */
export function doorsServing({ config, serving, metrics }: DoorsServingDeps): CapabilityModule {
  const deps = { serving, metrics: createDoorMetrics(metrics) }
  const openRtb = openDoor(deps, {
    name: 'openrtb',
    holdTimes: {
      plainMs: config.OPENRTB_HOLD_SECONDS * 1_000,
      videoMs: config.RESERVATION_VIDEO_SECONDS * 1_000,
      unvouchedMs: config.RESERVATION_UNVOUCHED_SECONDS * 1_000,
    },
  })
  const bidding = {
    door: openRtb,
    productsOf: createProductsOfCategories(),
    explaining: allowanceOf(EXPLAINING_MS_PER_SECOND),
    isRobot: robotsAmong(rememberBots()),
  }
  const vast = openDoor(deps, {
    name: 'vast',
    holdTimes: {
      plainMs: config.RESERVATION_VIDEO_SECONDS * 1_000,
      videoMs: config.RESERVATION_VIDEO_SECONDS * 1_000,
      unvouchedMs: config.RESERVATION_UNVOUCHED_SECONDS * 1_000,
    },
  })
  return {
    name: 'doors',
    routes: [
      routeGroup('', openRtbRoutes, bidding),
      routeGroup('', vastRoutes, { door: vast, clock: serving.clock }),
    ],
  }
}
