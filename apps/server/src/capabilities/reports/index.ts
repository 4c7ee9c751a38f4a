export { csvLine } from './exports/csv.ts'
export { deriveMetrics, NO_SUMS, rounded, safeDivide } from './metrics.ts'
export { reportRoutes } from './routes.ts'
export { listDayCounts } from './cube/reads-days.ts'
