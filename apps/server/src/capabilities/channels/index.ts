export { syncStatsJob, tickJob } from './sync/jobs.ts'
export { mockProvider } from './providers/mock.ts'
export { type ConnectionDeps, createConnection } from './connections/operations.ts'
export { onsiteProvider } from './providers/onsite.ts'
