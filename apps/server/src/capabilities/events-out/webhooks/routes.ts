import * as contract from '@placard/contract/webhooks'
import { runCommand } from '../../../platform/http/command.ts'
import type { Http } from '../../../platform/http/server.ts'
import {
  actionRoute,
  actorOf,
  present,
  resourceRoutes,
  targetOf,
} from '../../../platform/resources/index.ts'
import { createEndpoint, replayDelivery, replayEndpoint, type WebhookDeps } from './operations.ts'
import { webhookDelivery, webhookEndpoint } from './resources.ts'

/** Webhooks, for the operator. The caller gives the prefix. */
export function webhookRoutes(http: Http, deps: WebhookDeps): void {
  createRoute(http, deps)
  resourceRoutes(http, deps, {
    resource: webhookEndpoint,
    actions: ['list', 'get', 'patch', 'delete'],
  })
  replayRoute(http, deps)
  resourceRoutes(http, deps, { resource: webhookDelivery, actions: ['list', 'get'] })
  actionRoute(http, deps, {
    resource: webhookDelivery,
    method: 'POST',
    action: 'replay',
    summary: 'Send one event again',
    change: (deps, request) => replayDelivery(deps, targetOf(request, webhookDelivery)),
  })
}

function createRoute(http: Http, deps: WebhookDeps): void {
  http.post(
    '/webhook-endpoints',
    {
      config: { access: 'webhooks:write', answerIsSecret: true },
      schema: {
        operationId: 'createWebhookEndpoint',
        summary: 'Create a webhook endpoint and show its secret once',
        tags: ['webhooks'],
        body: contract.CreateWebhookEndpoint,
        response: { 201: contract.NewWebhookEndpoint },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const actor = actorOf(request)
        const { record, secret } = await createEndpoint(
          { ...deps, db },
          { body: request.body, actor },
        )
        return { status: 201, body: { ...present(webhookEndpoint, record), secret } }
      }),
  )
}

function replayRoute(http: Http, deps: WebhookDeps): void {
  http.post(
    '/webhook-endpoints/:webhookEndpointId/replay',
    {
      config: { access: 'webhooks:write' },
      schema: {
        operationId: 'replayWebhookEndpoint',
        summary: 'Send an endpoint its events again',
        tags: ['webhooks'],
        params: contract.WebhookEndpointParams,
        body: contract.ReplayWebhooks,
        response: { 200: contract.ReplayedWebhooks },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const target = { ...targetOf(request, webhookEndpoint), body: request.body }
        return { status: 200, body: { replayed: await replayEndpoint({ ...deps, db }, target) } }
      }),
  )
}
