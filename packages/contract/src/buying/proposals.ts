import { Type } from 'typebox'
import {
  Instant,
  nullable,
  oneOf,
  PAGE_QUERY,
  ROW_FIELDS,
  strict,
  textOf,
  Uuid,
} from '../shared.ts'

const Status = oneOf(['pending', 'accepted', 'declined', 'withdrawn'])
const Changes = Type.Record(
  Type.String(),
  Type.Object({ from: Type.Unknown(), to: Type.Unknown() }),
  { description: 'By field: the value when it was proposed, and the one that is proposed' },
)

export const ProposalQuery = strict({
  ...PAGE_QUERY,
  status: Type.Optional(Status),
  entityId: Type.Optional(Uuid),
  sort: Type.Optional(oneOf(['-createdAt', 'createdAt'])),
})

/** What somebody wants of a field that the seller writes. */
export const Proposal = Type.Object({
  ...ROW_FIELDS,
  entity: Type.String({ description: '`campaign`, `banner` or `advertiser`' }),
  entityId: Uuid,
  entityName: Type.String(),
  accountName: nullable(Type.String()),
  changes: Changes,
  status: Status,
  proposedBy: Type.String({ description: 'The name of the person or key' }),
  decidedBy: nullable(Type.String()),
  decidedAt: nullable(Instant),
  reason: nullable(Type.String()),
})

/** What became of fields that the caller could not write itself. */
export const ProposalMade = Type.Object(
  { id: Uuid, fields: Type.Array(Type.String()), message: Type.String() },
  { description: 'Only where the request held fields that ad operations write' },
)

export const DeclineProposal = strict({ reason: textOf(1_000, 'Priority is part of the contract') })
