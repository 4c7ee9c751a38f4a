export { placementProblems, publisherProblems, siteProblems } from './problems.ts'
export { placement, publisher, site, slot } from './resources.ts'
export { inventoryRoutes, type InventoryDeps } from './routes.ts'
export { completePacing, type PacingConfig } from './site.ts'
