import * as contract from '@placard/contract/notices'
import { runCommand } from '../../platform/http/command.ts'
import type { Http } from '../../platform/http/server.ts'
import { actorOf, present, resourceRoutes } from '../../platform/resources/index.ts'
import { createRecipient, type RecipientDeps } from './operations.ts'
import { notice, recipient } from './resources.ts'

/** Who is told, and what they were told; the caller gives the prefix. */
export function noticeRoutes(http: Http, deps: RecipientDeps): void {
  createRoute(http, deps)
  resourceRoutes(http, deps, { resource: recipient, actions: ['list', 'get', 'patch', 'delete'] })
  resourceRoutes(http, deps, { resource: notice, actions: ['list'] })
}

function createRoute(http: Http, deps: RecipientDeps): void {
  http.post(
    '/recipients',
    {
      config: { access: 'reports:write', answerIsSecret: true },
      schema: {
        operationId: 'createRecipient',
        summary: 'Create a recipient of reports and alerts; the answer shows its secret once',
        tags: ['notices'],
        body: contract.CreateRecipient,
        response: { 201: contract.NewRecipient },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const order = { body: request.body, actor: actorOf(request) }
        const { record, secret } = await createRecipient({ ...deps, db }, order)
        return { status: 201, body: { ...present(recipient, record), secret } }
      }),
  )
}
