import { pageOf } from '@placard/contract/shared'
import * as contract from '@placard/contract/targeting'
import { Type } from 'typebox'
import { runCommand } from '../../../platform/http/command.ts'
import type { Http } from '../../../platform/http/server.ts'
import {
  actorOf,
  changeRow,
  createRow,
  etagOf,
  listRows,
  patchRow,
  present,
  removeRow,
  targetOf,
  type ResourceDeps,
} from '../../../platform/resources/index.ts'
import { getCampaign } from '../placements/operations.ts'
import { getRuleOf } from './operations.ts'
import { targetingRule } from './resources.ts'

const READ = { access: 'targeting:read' } as const
const WRITE = { access: 'targeting:write' } as const
const LIST = '/campaigns/:campaignId/targeting-rules'
const ONE = `${LIST}/:targetingRuleId` as const

/** The rules of one campaign. The same rules are also at `/targeting-rules`. */
export function campaignTargetingRoutes(http: Http, deps: ResourceDeps): void {
  listRoute(http, deps)
  addRoute(http, deps)
  getRoute(http, deps)
  changeRoute(http, deps)
  removeRoute(http, deps)
}

const about = (operationId: string, summary: string) => ({
  operationId,
  summary,
  tags: ['targeting'],
})

function listRoute(http: Http, deps: ResourceDeps): void {
  http.get(
    LIST,
    {
      config: READ,
      schema: {
        ...about('listCampaignTargetingRules', 'List the targeting rules of a campaign'),
        params: contract.CampaignParams,
        querystring: contract.CampaignTargetingRuleQuery,
        response: { 200: pageOf(targetingRule.view) },
      },
    },
    async (request) => {
      const actor = actorOf(request)
      await getCampaign(deps.db, { ...request.params, actor })
      const query = { ...request.query, ...request.params }
      return listRows(deps, targetingRule, { query, scope: actor.principal })
    },
  )
}

function addRoute(http: Http, deps: ResourceDeps): void {
  http.post(
    LIST,
    {
      config: WRITE,
      schema: {
        ...about('addCampaignTargetingRule', 'Add a targeting rule to a campaign'),
        params: contract.CampaignParams,
        body: contract.AddTargetingRule,
        response: { 201: targetingRule.view },
      },
    },
    (request, reply) =>
      changeRow(deps, targetingRule, {
        request,
        reply,
        status: 201,
        change: (deps, actor) =>
          createRow(deps, targetingRule, { body: { ...request.body, ...request.params }, actor }),
      }),
  )
}

function getRoute(http: Http, { db }: ResourceDeps): void {
  http.get(
    ONE,
    {
      config: READ,
      schema: {
        ...about('getCampaignTargetingRule', 'Read a targeting rule of a campaign'),
        params: contract.TargetingRuleParams,
        response: { 200: targetingRule.view },
      },
    },
    async (request, reply) => {
      const rule = await getRuleOf(db, { ...request.params, actor: actorOf(request) })
      return reply.headers(etagOf(rule)).send(present(targetingRule, rule))
    },
  )
}

function changeRoute(http: Http, deps: ResourceDeps): void {
  http.patch(
    ONE,
    {
      config: WRITE,
      schema: {
        ...about('changeCampaignTargetingRule', 'Change a targeting rule of a campaign'),
        params: contract.TargetingRuleParams,
        body: contract.PatchTargetingRule,
        response: { 200: targetingRule.view },
      },
    },
    (request, reply) =>
      changeRow(deps, targetingRule, {
        request,
        reply,
        change: async (deps, actor) => {
          await getRuleOf(deps.db, { ...request.params, actor })
          const target = targetOf(request, targetingRule)
          return patchRow(deps, targetingRule, { ...target, body: request.body })
        },
      }),
  )
}

function removeRoute(http: Http, deps: ResourceDeps): void {
  http.delete(
    ONE,
    {
      config: WRITE,
      schema: {
        ...about('removeCampaignTargetingRule', 'Remove a targeting rule from a campaign'),
        params: contract.TargetingRuleParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        await getRuleOf(db, { ...request.params, actor: actorOf(request) })
        await removeRow({ ...deps, db }, targetingRule, targetOf(request, targetingRule))
        return { status: 204 }
      }),
  )
}
