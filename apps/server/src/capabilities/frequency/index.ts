export { frequencyCap } from './caps/resources.ts'
export type { CapKey, Counters, Hold, UserCounts } from './counters/counters.ts'
export { createCounters, type MemoryCounters } from './memory/memory-counters.ts'
export { GATHERED_COMMANDS } from './redis/redis-counters.ts'
