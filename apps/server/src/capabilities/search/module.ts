import { type CapabilityModule, routeGroup } from '../../platform/module.ts'
import type { SearchDeps } from './operations.ts'
import { searchRoute } from './routes.ts'

/** Finds anything that the caller may read. */
export const searchApi = (deps: SearchDeps): CapabilityModule => ({
  name: 'search',
  routes: [routeGroup('/api/v1/admin', searchRoute, deps)],
})
