export { csvLine } from './exports/csv.ts'
export { deriveMetrics, NO_SUMS, rounded, safeDivide } from './metrics.ts'
export { listDayCounts } from './cube/reads-days.ts'
export { type PlacementTraffic, readPlacementTraffic } from './cube/reads-placements.ts'
