import { type CapabilityModule, routeGroup } from '../platform/module.ts'
import { jobRoutes } from '../platform/jobs/routes.ts'
import { nodeRoutes } from '../platform/nodes/routes.ts'
import { setAsideRoutes } from '../platform/set-aside/routes.ts'
import { settingRoutes } from '../settings/routes.ts'
import type { ApiBase } from './base.ts'

/** Queues, nodes and settings, for operators. */
export const operationsApi = (base: ApiBase): CapabilityModule => ({
  name: 'operations',
  routes: [
    routeGroup('/api/v1/admin', jobRoutes, base),
    routeGroup('/api/v1/admin', nodeRoutes, base),
    routeGroup('/api/v1/admin', setAsideRoutes, base),
    routeGroup('/api/v1/admin', settingRoutes, base),
  ],
})
