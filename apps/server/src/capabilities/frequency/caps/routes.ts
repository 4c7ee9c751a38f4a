import * as contract from '@placard/contract/frequency'
import { Type } from 'typebox'
import { callerOf } from '../../../platform/http/access.ts'
import type { Http } from '../../../platform/http/server.ts'
import { listRows, resourceRoutes, type ResourceDeps } from '../../../platform/resources/index.ts'
import { frequencyCap } from './resources.ts'

/** Routes of caps. The caller gives the prefix. */
export function frequencyRoutes(http: Http, deps: ResourceDeps): void {
  listRoute(http, deps)
  resourceRoutes(http, deps, {
    resource: frequencyCap,
    actions: ['create', 'get', 'patch', 'delete'],
  })
}

/** A bare array with a maximum length. A header has the cursor of the next page. */
function listRoute(http: Http, deps: ResourceDeps): void {
  http.get(
    '/frequency/caps',
    {
      config: { access: 'caps:read' },
      schema: {
        operationId: 'listFrequencyCaps',
        summary: 'List frequency caps',
        description:
          'Returns at most 200. The header `X-Next-Cursor` has the cursor of the next page.',
        tags: ['frequency'],
        querystring: contract.FrequencyCapQuery,
        response: { 200: Type.Array(frequencyCap.view) },
      },
    },
    async (request, reply) => {
      const query = { limit: LIMIT, ...request.query }
      const scope = callerOf(request)
      const { items, nextCursor } = await listRows(deps, frequencyCap, { query, scope })
      if (nextCursor) reply.header('x-next-cursor', nextCursor)
      return reply.send(items)
    },
  )
}

const LIMIT = 200
