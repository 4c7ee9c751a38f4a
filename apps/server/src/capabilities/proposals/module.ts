import { type CapabilityModule, type ProcessBase, routeGroup } from '../../platform/module.ts'
import type { ResourceDeps } from '../../platform/resources/index.ts'
import type { ProposalDeps } from './operations.ts'
import { proposalRoutes } from './routes.ts'

export type ProposalsApiDeps = Pick<ProcessBase, keyof ResourceDeps> &
  Pick<ProposalDeps, 'proposable'>

/** Routes to list and decide what buyers propose for the seller's fields. */
export const proposalsApi = (deps: ProposalsApiDeps): CapabilityModule => ({
  name: 'proposals',
  routes: [routeGroup('/api/v1/admin', proposalRoutes, deps)],
})
