export { startBuilder } from './builder.ts'
export { rollUpStatsJob } from './jobs.ts'
export { observeBuilder } from './observe.ts'
export { reportRoutes } from './routes.ts'
