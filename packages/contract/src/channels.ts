import { Type } from 'typebox'
import {
  DELETED_AT,
  Instant,
  Name,
  nullable,
  oneOf,
  PAGE_QUERY,
  ROW_FIELDS,
  strict,
  textOf,
  Uuid,
} from './shared.ts'

const ConnectionType = oneOf(['AD_ACCOUNT', 'PAGE', 'PIXEL', 'CONVERSION'])
const Provider = Type.Enum(['onsite', 'mock', 'meta'], {
  description: 'Where its figures come from: our own events, made-up ones, or the Graph API',
  examples: ['onsite'],
})
const ExternalId = Type.String({
  pattern: '^[A-Za-z0-9_.-]{1,128}$',
  description: "The other platform's id, such as `act_1234`",
  examples: ['act_1234'],
})
const Credentials = Type.String({
  minLength: 1,
  maxLength: 4_096,
  format: 'plain-text',
  description: 'An access token; kept encrypted and never shown again',
  examples: ['EAAB-an-access-token'],
})

const connectionFields = {
  name: Name,
  externalId: Type.Optional(nullable(ExternalId)),
  credentials: Type.Optional(nullable(Credentials)),
  isActive: Type.Optional(Type.Boolean({ examples: [true] })),
}

export const CreateConnection = strict({
  ...connectionFields,
  advertiserId: Uuid,
  connectionType: ConnectionType,
  provider: Provider,
})
export const PatchConnection = Type.Partial(strict(connectionFields), {
  additionalProperties: false,
})
export const ConnectionParams = Type.Object({ connectionId: Uuid })
export const ConnectionQuery = strict({
  ...PAGE_QUERY,
  includeDeleted: Type.Optional(Type.Boolean({ default: false })),
  advertiserId: Type.Optional(Uuid),
  connectionType: Type.Optional(ConnectionType),
  provider: Type.Optional(Provider),
  isActive: Type.Optional(Type.Boolean()),
})
export const Connection = Type.Object({
  ...ROW_FIELDS,
  ...DELETED_AT,
  advertiserId: Uuid,
  name: Type.String(),
  connectionType: ConnectionType,
  provider: Provider,
  externalId: nullable(textOf(128)),
  isActive: Type.Boolean(),
  hasCredentials: Type.Boolean(),
  failingSince: nullable(Instant),
  failure: nullable(Type.String({ description: 'Why the last sync failed' })),
})
