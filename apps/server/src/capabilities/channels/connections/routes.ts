import * as contract from '@placard/contract/channels'
import type { Http } from '../../../platform/http/server.ts'
import { changeRow, resourceRoutes, targetOf } from '../../../platform/resources/index.ts'
import { changeConnection, type ConnectionDeps, createConnection } from './operations.ts'
import { connection } from '../resources.ts'

/** Connections to other platforms. The caller gives the prefix. */
export function connectionRoutes(http: Http, deps: ConnectionDeps): void {
  resourceRoutes(http, deps, {
    resource: connection,
    actions: ['list', 'get', 'delete', 'restore'],
  })
  createRoute(http, deps)
  changeRoute(http, deps)
}

function createRoute(http: Http, deps: ConnectionDeps): void {
  http.post(
    '/connections',
    {
      config: { access: 'channels:write' },
      schema: {
        operationId: 'createConnection',
        summary: "Connect an advertiser's account on a channel",
        tags: ['channels'],
        body: contract.CreateConnection,
        response: { 201: contract.Connection },
      },
    },
    (request, reply) =>
      changeRow(deps, connection, {
        request,
        reply,
        status: 201,
        change: ({ db }, actor) => createConnection({ ...deps, db }, { body: request.body, actor }),
      }),
  )
}

function changeRoute(http: Http, deps: ConnectionDeps): void {
  http.patch(
    '/connections/:connectionId',
    {
      config: { access: 'channels:write' },
      schema: {
        operationId: 'changeConnection',
        summary: 'Change a connection. `credentials` replaces the stored ones',
        tags: ['channels'],
        params: contract.ConnectionParams,
        body: contract.PatchConnection,
        response: { 200: contract.Connection },
      },
    },
    (request, reply) =>
      changeRow(deps, connection, {
        request,
        reply,
        change: ({ db }) =>
          changeConnection(
            { ...deps, db },
            { ...targetOf(request, connection), body: request.body },
          ),
      }),
  )
}
