import { type CapabilityModule, type ProcessBase, routeGroup } from '../../platform/module.ts'
import type { Config } from '../../settings/config.ts'
import type { ServingDeps } from '../decisions/index.ts'
import { openRtbRoutes } from './openrtb/routes.ts'
import { openDoor } from './shared/door.ts'
import { createDoorMetrics } from './shared/metrics.ts'

export interface DoorsServingDeps extends Pick<ProcessBase, 'metrics'> {
  readonly config: Pick<
    Config,
    'OPENRTB_HOLD_SECONDS' | 'RESERVATION_VIDEO_SECONDS' | 'RESERVATION_UNVOUCHED_SECONDS'
  >
  readonly serving: ServingDeps
}

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
  return { name: 'doors', routes: [routeGroup('', openRtbRoutes, { door: openRtb })] }
}
