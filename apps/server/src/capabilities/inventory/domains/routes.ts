import * as contract from '@placard/contract/inventory'
import { runCommand } from '../../../platform/http/command.ts'
import type { Http } from '../../../platform/http/server.ts'
import type { Jobs } from '../../../platform/jobs/job.ts'
import { actorOf, type ResourceDeps } from '../../../platform/resources/index.ts'
import { confirmDomain, getDomain, orderCheck, withdrawDomain } from './operations.ts'

const PATH = '/sites/:siteId/domain'
const described = (operationId: string, summary: string) => ({
  operationId,
  summary,
  tags: ['sites'],
  params: contract.SiteDomainParams,
})

export interface DomainDeps extends ResourceDeps {
  readonly jobs: Jobs | undefined
}

export function domainRoutes(http: Http, deps: DomainDeps): void {
  http.get(
    PATH,
    {
      config: { access: 'sites:read' },
      schema: {
        ...described('getSiteDomain', 'Get whether a site’s domain is proven, and how to prove it'),
        response: { 200: contract.SiteDomain },
      },
    },
    (request) => getDomain(deps, { ...request.params, actor: actorOf(request) }),
  )
  http.post(
    `${PATH}/check`,
    {
      config: { access: 'sites:write' },
      schema: {
        ...described('checkSiteDomain', 'Look now whether the line is in DNS or in the file'),
        response: { 202: contract.SiteDomain },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const target = { ...request.params, actor: actorOf(request) }
        return { status: 202, body: await orderCheck({ ...deps, db }, target) }
      }),
  )
  decisionRoutes(http, deps)
}

/** What an operator decides by hand. */
function decisionRoutes(http: Http, deps: DomainDeps): void {
  const decisions = [
    ['confirm', 'confirmSiteDomain', 'Confirm by hand that the publisher has the domain'],
    ['withdraw', 'withdrawSiteDomain', 'Count a domain as unproven from now on'],
  ] as const
  for (const [action, operationId, summary] of decisions) {
    const decide = action === 'confirm' ? confirmDomain : withdrawDomain
    http.post(
      `${PATH}/${action}`,
      {
        config: { access: 'operations:write' },
        schema: {
          ...described(operationId, summary),
          body: contract.DecideSiteDomain,
          response: { 200: contract.SiteDomain },
        },
      },
      (request, reply) =>
        runCommand(deps, { request, reply }, async (db) => {
          const target = { ...request.params, ...request.body, actor: actorOf(request) }
          return { status: 200, body: await decide({ ...deps, db }, target) }
        }),
    )
  }
}
