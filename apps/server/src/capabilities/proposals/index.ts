export { proposeWith } from './operations.ts'
export { proposalRoutes } from './routes.ts'
