import type { Http } from '../../platform/http/server.ts'
import { resourceRoutes, type ResourceDeps } from '../../platform/resources/index.ts'
import { type DomainDeps, domainRoutes } from './domains/routes.ts'
import { placement, publisher, site, slot } from './resources.ts'
import { blockRoutes } from './routes-blocks.ts'

export interface InventoryDeps extends DomainDeps {
  /** A new slot shows the placement on another site, which must approve everything booked there. */
  whenSlotAppears(deps: ResourceDeps, slot: { placementId: bigint }): Promise<void>
}

export function inventoryRoutes(http: Http, deps: InventoryDeps): void {
  for (const resource of [publisher, site, placement, slotWith(deps)]) {
    resourceRoutes(http, deps, { resource })
  }
  blockRoutes(http, deps)
  domainRoutes(http, deps)
}

const slotWith = ({ whenSlotAppears }: InventoryDeps): typeof slot => ({
  ...slot,
  async afterChange(db, change, deps) {
    await slot.afterChange?.(db, change, deps)
    const { before, after } = change
    const appears = !before || (before.deletedAt && !after.deletedAt)
    if (appears) await whenSlotAppears({ ...deps, db }, after)
  },
})
