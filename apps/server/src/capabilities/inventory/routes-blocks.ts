import * as contract from '@placard/contract/inventory'
import { Type } from 'typebox'
import { runCommand } from '../../platform/http/command.ts'
import type { Http } from '../../platform/http/server.ts'
import { actorOf, type ResourceDeps } from '../../platform/resources/index.ts'
import { blockAdProduct, listBlockedAdProducts, unblockAdProduct } from './operations.ts'

const PATH = '/sites/:siteId/ad-product-blocks'
const tags = ['sites']

export function blockRoutes(http: Http, deps: ResourceDeps): void {
  http.get(
    PATH,
    {
      config: { access: 'sites:read' },
      schema: {
        operationId: 'listAdProductBlocks',
        summary: 'List the ad products that a site blocks',
        tags,
        params: contract.AdProductBlocksParams,
        response: { 200: contract.AdProductBlocks },
      },
    },
    async (request) => {
      const { siteId } = request.params
      const blocks = await listBlockedAdProducts(deps, { siteId, actor: actorOf(request) })
      return { items: blocks.map(present) }
    },
  )
  http.put(
    `${PATH}/:category`,
    {
      config: { access: 'sites:write' },
      schema: {
        operationId: 'blockAdProduct',
        summary: 'Block an ad product and all below it on a site',
        tags,
        params: contract.AdProductBlockParams,
        response: { 200: contract.AdProductBlock },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const target = { ...request.params, actor: actorOf(request) }
        return { status: 200, body: present(await blockAdProduct({ ...deps, db }, target)) }
      }),
  )
  http.delete(
    `${PATH}/:category`,
    {
      config: { access: 'sites:write' },
      schema: {
        operationId: 'unblockAdProduct',
        summary: 'Unblock an ad product on a site',
        tags,
        params: contract.BlockedAdProductParams,
        response: { 204: Type.Null() },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        await unblockAdProduct({ ...deps, db }, { ...request.params, actor: actorOf(request) })
        return { status: 204 }
      }),
  )
}

const present = (block: { adProductCategory: string; createdAt: Date }) => ({
  adProductCategory: block.adProductCategory,
  createdAt: block.createdAt.toISOString(),
})
