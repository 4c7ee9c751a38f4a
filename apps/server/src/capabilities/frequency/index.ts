export { frequencyRoutes } from './routes.ts'
