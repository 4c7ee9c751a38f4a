export { measureServeIndex } from './metrics.ts'
export { openServeIndex, type ServeIndex } from './serving/serve-index.ts'
export { contextualRoutes } from './routes.ts'
