export { frequencyCap } from './resources.ts'
export type { CapKey, Counters, Hold, UserCounts } from './counters.ts'
export { createCounters, type MemoryCounters } from './memory-counters.ts'
export { GATHERED_COMMANDS } from './redis-counters.ts'
