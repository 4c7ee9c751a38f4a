import * as contract from '@placard/contract/campaigns'
import { pageOf, Uuid } from '@placard/contract/shared'
import { Type } from 'typebox'
import { runCommand } from '../../../platform/http/command.ts'
import type { Http } from '../../../platform/http/server.ts'
import { actorOf, type ResourceDeps } from '../../../platform/resources/index.ts'
import { blockSite, listSiteBlocks, unblockSite } from './operations.ts'

const LIST = '/advertisers/:advertiserId/site-blocks'
const ONE = `${LIST}/:siteId` as const

export function siteBlockRoutes(http: Http, deps: ResourceDeps): void {
  listRoute(http, deps)
  blockRoute(http, deps)
  unblockRoute(http, deps)
}

const about = (operationId: string, summary: string) => ({
  operationId,
  summary,
  tags: ['advertisers'],
})

function listRoute(http: Http, { db }: ResourceDeps): void {
  http.get(
    LIST,
    {
      config: { access: 'advertisers:read' },
      schema: {
        ...about('listSiteBlocks', 'List the sites that an advertiser does not appear on'),
        params: Type.Object({ advertiserId: Uuid }),
        querystring: contract.SiteBlockQuery,
        response: { 200: pageOf(contract.SiteBlock) },
      },
    },
    (request) => {
      const { params, query } = request
      return listSiteBlocks(db, { ...params, query, actor: actorOf(request) })
    },
  )
}

function blockRoute(http: Http, deps: ResourceDeps): void {
  http.put(
    ONE,
    {
      config: { access: 'advertisers:write' },
      schema: {
        ...about('blockSite', 'Keep an advertiser off a site'),
        params: contract.SiteBlockParams,
        response: { 200: contract.SiteBlock },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => ({
        status: 200,
        body: await blockSite({ ...deps, db }, { ...request.params, actor: actorOf(request) }),
      })),
  )
}

function unblockRoute(http: Http, deps: ResourceDeps): void {
  http.delete(
    ONE,
    {
      config: { access: 'advertisers:write' },
      schema: {
        ...about('unblockSite', 'Let an advertiser appear on a site again'),
        params: contract.SiteBlockParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        await unblockSite({ ...deps, db }, { ...request.params, actor: actorOf(request) })
        return { status: 204 }
      }),
  )
}
