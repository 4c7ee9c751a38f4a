import { Type } from 'typebox'
import { patchOf } from '../patch.ts'
import {
  BY_NAME,
  Instant,
  Name,
  nullable,
  oneOf,
  PAGE_QUERY,
  ROW_FIELDS,
  Search,
  strict,
  textOf,
  Uuid,
  WebUrl,
} from '../shared.ts'

const EventTypeName = oneOf([
  'campaign.state-changed.v1',
  'budget.exhausted.v1',
  'spend.updated.v1',
  'ad.served.v1',
  'ads.impression.tracked.v1',
  'ads.click.tracked.v1',
  'ads.conversion.tracked.v1',
  'geo.review-recommended.v1',
])
const EventTypes = Type.Array(EventTypeName, {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  description: 'Event types the endpoint subscribes to',
})

const FIELDS = { name: Name, url: WebUrl, eventTypes: EventTypes }

export const CreateWebhookEndpoint = strict(FIELDS)
export const PatchWebhookEndpoint = patchOf({ ...FIELDS, isActive: Type.Boolean() })
export const WebhookEndpointQuery = strict({
  ...PAGE_QUERY,
  search: Type.Optional(Search),
  sort: Type.Optional(BY_NAME),
  isActive: Type.Optional(Type.Boolean()),
})

export const WebhookEndpoint = Type.Object({
  ...ROW_FIELDS,
  ...FIELDS,
  isActive: Type.Boolean(),
  failingSince: nullable(Instant),
  restReason: nullable(Type.String({ description: 'Why we disabled the endpoint' })),
})
export const NewWebhookEndpoint = Type.Object({
  ...WebhookEndpoint.properties,
  secret: Type.String({ description: 'Verifies the signatures of our calls; shown once' }),
})
export const WebhookEndpointParams = Type.Object({ webhookEndpointId: Uuid })

const DeliveryStatus = oneOf(['pending', 'delivered', 'dead'])

export const WebhookDeliveryQuery = strict({
  ...PAGE_QUERY,
  webhookEndpointId: Type.Optional(Uuid),
  status: Type.Optional(DeliveryStatus),
  eventType: Type.Optional(textOf(100, 'campaign.state-changed.v1')),
})
export const WebhookDelivery = Type.Object({
  id: Uuid,
  webhookEndpointId: Uuid,
  eventId: Uuid,
  eventType: Type.String(),
  subject: Type.String(),
  status: DeliveryStatus,
  attempts: Type.Integer(),
  dueAt: Instant,
  lastStatus: nullable(Type.Integer({ description: 'HTTP status of the last attempt' })),
  lastError: nullable(Type.String()),
  occurredAt: Instant,
  createdAt: Instant,
  finishedAt: nullable(Instant),
})

export const ReplayWebhooks = strict({
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
  status: Type.Optional(oneOf(['dead', 'delivered'])),
  eventTypes: Type.Optional(EventTypes),
})
export const ReplayedWebhooks = Type.Object({
  replayed: Type.Integer({ description: 'At most 10,000 per call, oldest first' }),
})
