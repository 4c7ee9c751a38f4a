import { type CapabilityModule, type ProcessBase, routeGroup } from '../../platform/module.ts'
import type { ResourceDeps } from '../../platform/resources/index.ts'
import { campaignEvents } from '../campaigns/index.ts'
import { createTraffic } from './offers/traffic.ts'
import { bookingRoutes } from './routes.ts'

/** Drafts, checks and bookings of whole campaigns, and the placements that buyers may choose. */
export const bookingApi = (deps: Pick<ProcessBase, keyof ResourceDeps>): CapabilityModule => ({
  name: 'booking',
  routes: [
    routeGroup('/api/v1/admin', bookingRoutes, {
      ...deps,
      events: campaignEvents(deps.ids),
      traffic: createTraffic(deps),
    }),
  ],
})
