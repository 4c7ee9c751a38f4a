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
  { description: 'By field: the value at the time of the proposal, and the proposed value' },
)

export const ProposalQuery = strict({
  ...PAGE_QUERY,
  status: Type.Optional(Status),
  entityId: Type.Optional(Uuid),
  sort: Type.Optional(oneOf(['-createdAt', 'createdAt'])),
})

/** A change that a buyer wants in a field only the seller writes. */
export const Proposal = Type.Object({
  ...ROW_FIELDS,
  entity: Type.String({ description: '`campaign`, `banner` or `advertiser`' }),
  entityId: Uuid,
  entityName: Type.String(),
  accountName: nullable(Type.String()),
  changes: Changes,
  status: Status,
  proposedBy: Type.String({ description: 'Name of the user or API key' }),
  decidedBy: nullable(Type.String()),
  decidedAt: nullable(Instant),
  reason: nullable(Type.String()),
})

/** The proposal made from the fields that the caller may not write. */
export const ProposalMade = Type.Object(
  { id: Uuid, fields: Type.Array(Type.String()), message: Type.String() },
  { description: 'Present if the request had fields that only ad operations write' },
)

export const DeclineProposal = strict({ reason: textOf(1_000, 'Priority is part of the contract') })
