export { connectionRoutes } from './routes-connections.ts'
