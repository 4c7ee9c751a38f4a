export { blockAdProduct } from './operations.ts'
export { placementProblems, publisherProblems, siteProblems } from './problems.ts'
export { placement, publisher, site, slot } from './resources.ts'
export { normaliseDomain } from './site.ts'
