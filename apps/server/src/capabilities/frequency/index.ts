export { frequencyCap } from './resources.ts'
export { frequencyRoutes } from './routes.ts'
