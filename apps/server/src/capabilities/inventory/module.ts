import { type CapabilityModule, type ProcessBase, routeGroup } from '../../platform/module.ts'
import type { ResourceDeps } from '../../platform/resources/index.ts'
import { type InventoryDeps, inventoryRoutes } from './routes.ts'

export type InventoryApiDeps = Pick<ProcessBase, keyof ResourceDeps> &
  Pick<InventoryDeps, 'whenSlotAppears'>

/** Publishers, sites, placements and slots. */
export const inventoryApi = (deps: InventoryApiDeps): CapabilityModule => ({
  name: 'inventory',
  routes: [routeGroup('/api/v1/admin', inventoryRoutes, deps)],
})
