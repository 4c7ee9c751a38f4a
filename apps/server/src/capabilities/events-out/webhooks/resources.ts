import * as contract from '@placard/contract/webhooks'
import { judgeUrl } from '../../../platform/http/guarded-agent.ts'
import { Problem } from '../../../platform/problem.ts'
import { defineResource } from '../../../platform/resources/index.ts'
import { webhookProblems } from '../problems.ts'
import { deleteDeliveries } from '../delivery/store.ts'
import { webhookDeliveries, webhookEndpoints } from '../tables.ts'

export const webhookEndpoint = defineResource({
  noun: 'webhook endpoint',
  plural: 'webhook endpoints',
  tag: 'webhooks',
  permission: 'webhooks',
  table: webhookEndpoints,
  view: contract.WebhookEndpoint,
  create: contract.CreateWebhookEndpoint,
  patch: contract.PatchWebhookEndpoint,
  query: contract.WebhookEndpointQuery,
  searches: ['name'],
  references: {},
  problems: { notFound: webhookProblems.endpointNotFound },
  /** Switching an endpoint on again clears its failures. */
  async complete(_db, { isActive }, { before }) {
    return isActive && before?.isActive === false ? { failingSince: null, restReason: null } : {}
  },
  /** Whether the host may be called is checked at each call, because its address can change. */
  check({ url }) {
    if (judgeUrl(url, () => true) === 'may-call') return
    throw new Problem(webhookProblems.urlRefused, 'Remove the user name and password.')
  },
  beforeDelete: (db, { publicId }) => deleteDeliveries(db, publicId),
})

export const webhookDelivery = defineResource({
  noun: 'webhook delivery',
  plural: 'webhook deliveries',
  tag: 'webhooks',
  permission: 'webhooks',
  table: webhookDeliveries,
  view: contract.WebhookDelivery,
  create: contract.WebhookDelivery,
  patch: contract.WebhookDelivery,
  query: contract.WebhookDeliveryQuery,
  references: {
    webhookEndpointId: { to: webhookEndpoints, problem: webhookProblems.endpointNotFound },
  },
  problems: { notFound: webhookProblems.deliveryNotFound },
})
