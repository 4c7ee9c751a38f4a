export type { CapKey, Counters, Hold, UserCounts } from './counters.ts'
export { frequencyRoutes } from './routes.ts'
