import { type Static, Type } from 'typebox'
import {
  Amount,
  Currency,
  Instant,
  instantLike,
  nullable,
  oneOf,
  PAGE_QUERY,
  pageOf,
  ROW_FIELDS,
  strict,
  Uuid,
} from '../shared.ts'
import { CampaignQuery, ExclusionLabels } from './campaigns.ts'

export const SELECTED_IDS_MAX = 1_000
/** Rows that one change set may hold. */
export const CHANGE_SET_ROWS_MAX = 10_000

const { limit: _limit, cursor: _cursor, sort: _sort, ...filters } = CampaignQuery.properties

/** Campaigns by id, or all that a filter of the list finds. */
const Selection = Type.Object(
  {
    ids: Type.Optional(
      Type.Array(Uuid, { minItems: 1, maxItems: SELECTED_IDS_MAX, uniqueItems: true }),
    ),
    filter: Type.Optional(
      Type.Object(filters, {
        additionalProperties: false,
        description: 'As in the list of campaigns; {} selects all',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Campaigns, by `ids` or by `filter`',
    examples: [{ filter: { channel: 'onsite' } }],
  },
)

/** A new amount, or a percentage of the present one. */
const AmountChange = strict({
  setMicros: Type.Optional(nullable(Amount, 'The new amount; null takes it away')),
  currency: Type.Optional(
    Type.Unsafe<string>({
      ...Currency,
      description: 'Currency of `setMicros`. Rows in another currency are refused',
    }),
  ),
  percent: Type.Optional(
    Type.Number({
      minimum: -99,
      maximum: 1_000,
      description: 'Change in percent, rounded down to whole micros: 10 raises, -10 lowers',
      examples: [10],
    }),
  ),
})

export const CAMPAIGN_MOVES = [
  'activate',
  'pause',
  'end',
  'cancel',
  'schedule',
  'unschedule',
] as const

/** What to do with every selected campaign. */
const Edit = Type.Object(
  {
    move: Type.Optional(oneOf(CAMPAIGN_MOVES)),
    archive: Type.Optional(Type.Boolean({ description: 'Deletes the campaign; undo restores it' })),
    budgetDaily: Type.Optional(AmountChange),
    budgetTotal: Type.Optional(AmountChange),
    maxBid: Type.Optional(AmountChange),
    bids: Type.Optional(
      Type.Unsafe<AmountChange>({ ...AmountChange, description: 'Bids of the ads in them' }),
    ),
    addLabels: Type.Optional(ExclusionLabels),
    removeLabels: Type.Optional(ExclusionLabels),
    startsAt: Type.Optional(nullable(Instant)),
    endsAt: Type.Optional(nullable(instantLike('2030-02-01T00:00:00Z'))),
    shiftDays: Type.Optional(
      Type.Integer({
        minimum: -3_650,
        maximum: 3_650,
        description: 'Moves the start and the end by days of 24 hours',
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'One of `move`, `archive` and `bids`; or any of the amounts, labels and dates of the campaign',
    examples: [{ budgetDaily: { percent: 10 } }],
  },
)

export const CreateChangeSet = strict({ campaigns: Selection, edit: Edit })

export const CSV_CHARACTERS_MAX = 2_000_000
export const ImportCsv = strict({
  csv: Type.String({
    minLength: 1,
    maxLength: CSV_CHARACTERS_MAX,
    format: 'plain-text',
    description:
      'The file, with a line of headings as in the export or fields of the API; up to 5,000 rows',
    examples: ['Id,Name\r\n'],
  }),
})

export const CHANGE_SET_STATES = [
  'checking',
  'draft',
  'publishing',
  'published',
  'undoing',
  'undone',
] as const
export const ROW_OUTCOMES = [
  'waiting',
  'ready',
  'unchanged',
  'refused',
  'changed',
  'undone',
  'kept',
] as const

const counted = (description: string) => Type.Integer({ description })

export const ChangeSet = Type.Object({
  ...ROW_FIELDS,
  title: Type.String({ description: 'What it does, in words' }),
  state: oneOf(CHANGE_SET_STATES),
  authorName: Type.String(),
  publishedAt: nullable(Instant),
  undoneAt: nullable(Instant),
  rows: counted('All rows'),
  waiting: counted('Not looked at yet in the present state'),
  ready: counted('Will change when published'),
  unchanged: counted('Have the wanted values already'),
  refused: counted('A rule refuses the change; the row says which'),
  changed: counted('Changed'),
  undone: counted('Restored by undo'),
  kept: counted('Left by undo, because somebody changed them since'),
})
export const ChangeSetQuery = strict({
  ...PAGE_QUERY,
  sort: Type.Optional(oneOf(['-createdAt', 'createdAt'])),
})
export const ChangeSetParams = Type.Object({ changeSetId: Uuid })

export const ChangeSetRow = Type.Object({
  position: Type.Integer(),
  entity: oneOf(['campaign', 'ad']),
  entityId: Uuid,
  name: Type.String(),
  currency: nullable(Currency),
  outcome: oneOf(ROW_OUTCOMES),
  reason: nullable(Type.String({ description: 'Why it was refused or kept' })),
  changes: Type.Array(
    Type.Object({ field: Type.String(), from: Type.Unknown(), to: Type.Unknown() }),
    { description: 'Fields with their values before and after' },
  ),
})
export const ChangeSetRowQuery = strict({
  ...PAGE_QUERY,
  outcome: Type.Optional(oneOf(ROW_OUTCOMES)),
})
export const ChangeSetRows = pageOf(ChangeSetRow)

export type CreateChangeSet = Static<typeof CreateChangeSet>
export type ChangeSetEdit = Static<typeof Edit>
export type AmountChange = Static<typeof AmountChange>
export type ChangeSetState = (typeof CHANGE_SET_STATES)[number]
export type RowOutcome = (typeof ROW_OUTCOMES)[number]
