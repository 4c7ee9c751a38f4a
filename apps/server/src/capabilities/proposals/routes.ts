import { DeclineProposal } from '@placard/contract/proposals'
import type { Http } from '../../platform/http/server.ts'
import { actionRoute, resourceRoutes, targetOf } from '../../platform/resources/index.ts'
import { decideProposal, type ProposalDeps } from './operations.ts'
import { proposal } from './resources.ts'

/** Proposals of others for the seller's fields. The caller gives the prefix. */
export function proposalRoutes(http: Http, deps: ProposalDeps): void {
  resourceRoutes(http, deps, { resource: proposal, actions: ['list', 'get'] })
  actionRoute(http, deps, {
    resource: proposal,
    method: 'POST',
    action: 'accept',
    summary: 'Accept a proposal and write its fields',
    change: ({ db }, request) =>
      decideProposal({ ...deps, db }, { ...targetOf(request, proposal), verdict: 'accepted' }),
  })
  actionRoute(http, deps, {
    resource: proposal,
    method: 'POST',
    action: 'decline',
    summary: 'Decline a proposal with a reason',
    body: DeclineProposal,
    change: ({ db }, request) => {
      const { reason } = request.body as { reason: string }
      const target = targetOf(request, proposal)
      return decideProposal({ ...deps, db }, { ...target, verdict: 'declined', reason })
    },
  })
}
