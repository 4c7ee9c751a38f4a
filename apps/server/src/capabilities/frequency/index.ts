export { frequencyCap } from './resources.ts'
export type { CapKey, CountedThing, Counters, Hold, SeenRow, UserCounts } from './counters.ts'
export {
  createCounters,
  type CountersSnapshot,
  type MemoryCounters,
  type MemoryUserCounts,
} from './memory-counters.ts'
export { frequencyRoutes } from './routes.ts'
export { openSharedCounters } from './shared-counters.ts'
export { pagesOfSeen } from './store-counts.ts'
