import { Type } from 'typebox'
import { patchOf } from '../patch.ts'
import { OUTCOME_METRICS } from './reports.ts'
import {
  BY_NAME,
  DELETED_AT,
  filterText,
  Instant,
  MicrosText,
  Name,
  nullable,
  oneOf,
  PAGE_QUERY,
  pageOf,
  ROW_FIELDS,
  Search,
  strict,
  textOf,
  Uuid,
} from '../shared.ts'

const ConnectionType = oneOf(['AD_ACCOUNT', 'PAGE', 'PIXEL', 'CONVERSION'])
const Provider = Type.Enum(['onsite', 'mock', 'meta'], {
  description: 'Source of its figures: our own events, made-up figures, or Meta’s Graph API',
  examples: ['onsite'],
})
const ExternalId = Type.String({
  pattern: '^[A-Za-z0-9_.-]{1,128}$',
  description: 'Id of the ad account on the other platform, such as `act_1234`',
  examples: ['act_1234'],
})
const Credentials = Type.String({
  minLength: 1,
  maxLength: 4_096,
  format: 'plain-text',
  description: 'An access token; stored encrypted, never shown again',
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
export const PatchConnection = patchOf(connectionFields)
export const ConnectionParams = Type.Object({ connectionId: Uuid })
export const ConnectionQuery = strict({
  ...PAGE_QUERY,
  search: Type.Optional(Search),
  sort: Type.Optional(BY_NAME),
  includeDeleted: Type.Optional(Type.Boolean({ default: false })),
  advertiserId: Type.Optional(Uuid),
  connectionType: Type.Optional(ConnectionType),
  provider: Type.Optional(Provider),
  isActive: Type.Optional(Type.Boolean()),
})
const LevelHealth = Type.Object({
  syncedAt: nullable(Instant),
  failingSince: nullable(Instant),
  failure: nullable(Type.String()),
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
  failure: nullable(
    Type.String({ description: 'Error of the level that has been failing longest' }),
  ),
  restsUntil: nullable(Instant),
  levels: Type.Partial(
    Type.Object({ CAMPAIGN: LevelHealth, ADSET: LevelHealth, AD: LevelHealth }),
    { description: 'State of each level’s sync; a level that was never synced is absent' },
  ),
})

const Day = (example: string) =>
  Type.String({ format: 'date', description: 'A UTC day', examples: [example] })

export const SyncRequest = strict({
  date: Type.Optional(Day('2026-06-14')),
  advertiserId: Type.Optional(Uuid),
})
export const SyncOrdered = Type.Object({
  enqueued: Type.Integer({ description: 'Jobs started; 0 while the previous ones still run' }),
  jobIds: Type.Array(Uuid),
})

const Level = oneOf(['CAMPAIGN', 'ADSET', 'AD'])
export const SyncParams = Type.Object({ jobId: Uuid })
export const Sync = Type.Object({
  jobId: Uuid,
  advertiserId: Uuid,
  level: Level,
  date: Type.String(),
  state: Type.Enum(['waiting', 'running', 'succeeded', 'failed', 'replaced'], {
    description:
      '`waiting`: for a worker, for a retry, or for a connection that rests; `replaced`: a later request stands for it',
  }),
  attempt: Type.Integer({ description: 'At most 4' }),
  nextTryAt: nullable(Instant),
  failure: nullable(Type.String({ description: 'Error of the last attempt' })),
  requestedAt: Instant,
  finishedAt: nullable(Instant),
  rawInserted: nullable(Type.Integer()),
  dailyUpserted: nullable(Type.Integer()),
  sellpageUpserted: nullable(Type.Integer()),
})

export const CreateBackfill = strict({
  advertiserId: Uuid,
  from: Day('2026-06-01'),
  to: Day('2026-06-03'),
})
export const BackfillQuery = strict({ ...PAGE_QUERY, advertiserId: Type.Optional(Uuid) })
export const Backfill = Type.Object({
  ...ROW_FIELDS,
  advertiserId: Uuid,
  from: Type.String(),
  to: Type.String(),
  status: oneOf(['waiting', 'running', 'succeeded', 'failed']),
  daysDone: Type.Integer(),
  daysTotal: Type.Integer(),
  failure: nullable(Type.String()),
  waitsUntil: nullable(Instant),
})

const RANGE_QUERY = {
  from: Type.Optional(Day('2026-06-01')),
  to: Type.Optional(Day('2026-06-30')),
  search: Type.Optional(filterText(200)),
  delivery: Type.Optional(
    Type.Enum(['delivering', 'idle'], {
      description: '`delivering` if it had impressions in the range',
    }),
  ),
}
const DeliveryStatus = Type.Optional(oneOf(['active', 'paused', 'ended']))

export const ChannelCampaignQuery = strict({
  ...PAGE_QUERY,
  ...RANGE_QUERY,
  status: Type.Optional(oneOf(['draft', 'scheduled', 'active', 'paused', 'ended', 'cancelled'])),
  channel: Type.Optional(oneOf(['onsite', 'meta'])),
  connectionId: Type.Optional(Uuid),
  sellpageId: Type.Optional(Uuid),
})
export const ChannelAdSetQuery = strict({
  ...PAGE_QUERY,
  ...RANGE_QUERY,
  status: DeliveryStatus,
  campaignId: Uuid,
})
export const ChannelAdQuery = strict({
  ...PAGE_QUERY,
  ...RANGE_QUERY,
  status: DeliveryStatus,
  adSetId: Uuid,
})

export const CHANNEL_METRICS = [
  'spend',
  'spendMicros',
  'impressions',
  'clicks',
  'ctr',
  'cpc',
  'cpm',
  ...OUTCOME_METRICS,
] as const

const FIGURES = Object.fromEntries(
  CHANNEL_METRICS.map((name) => [
    name,
    name.endsWith('Micros') ? MicrosText : Type.Number({ description: `As in reports: ${name}` }),
  ]),
)
const Row = Type.Object({
  id: Uuid,
  name: Type.String(),
  status: Type.String(),
  externalId: nullable(Type.String()),
  currency: Type.String(),
  ...FIGURES,
})
const Summary = Type.Object({ currency: Type.String(), rows: Type.Integer(), ...FIGURES })

const listOf = <Schema extends typeof Row>(row: Schema) =>
  Type.Object({
    rows: Type.Array(row),
    summary: Type.Array(Summary, {
      description: 'Over all matching rows, not only this page; one per currency',
    }),
    meta: Type.Object({
      from: Type.String(),
      to: Type.String(),
      nextCursor: Type.Optional(Type.String()),
    }),
  })

export const ChannelCampaigns = listOf(
  Type.Object({
    ...Row.properties,
    channel: oneOf(['onsite', 'meta']),
    connectionId: nullable(Uuid),
    sellpageId: nullable(Uuid),
    budgetDailyMicros: nullable(MicrosText),
    budgetTotalMicros: nullable(MicrosText),
  }),
)
export const ChannelAdSets = listOf(Type.Object({ ...Row.properties, campaignId: Uuid }))
export const ChannelAds = listOf(
  Type.Object({ ...Row.properties, campaignId: Uuid, adSetId: Uuid }),
)

const AdSource = oneOf(['META', 'ONSITE'])
export const SellpageStatsQuery = strict({
  from: RANGE_QUERY.from,
  to: RANGE_QUERY.to,
  advertiserId: Type.Optional(Uuid),
  sellpageId: Type.Optional(Uuid),
  adSource: Type.Optional(AdSource),
  by: Type.Optional(
    Type.Enum(['sellpage', 'day'], {
      description: 'One row per sellpage and source, or one per day of each',
    }),
  ),
})
export const SellpageStatsCsv = Type.String({ description: 'CSV with a header row' })

const rate = (description: string) => Type.Number({ description })
const SELLPAGE_FIGURES = {
  adSpendMicros: MicrosText,
  impressions: Type.Integer(),
  linkClicks: Type.Integer(),
  contentViews: Type.Number(),
  addToCart: Type.Number(),
  checkoutInitiated: Type.Number(),
  purchases: Type.Number(),
  ordersCount: Type.Number(),
  revenueMicros: MicrosText,
  cpm: rate('Spend per thousand impressions'),
  ctr: rate('Clicks per impression'),
  costPerPurchase: rate('Spend per purchase'),
  roas: rate('Revenue per unit of spend'),
  cr1: rate('Clicks per impression'),
  cr2: rate('Purchases per click'),
  cr3: rate('Purchases per content view'),
}
export const SellpageStats = Type.Object({
  rows: Type.Array(
    Type.Object({
      sellpageId: Uuid,
      name: Type.String(),
      url: Type.String(),
      advertiserId: Uuid,
      adSource: AdSource,
      date: nullable(Type.String()),
      currency: Type.String(),
      ...SELLPAGE_FIGURES,
    }),
    { description: 'Largest spend first, at most 5,000' },
  ),
  summary: Type.Array(
    Type.Object({ currency: Type.String(), rows: Type.Integer(), ...SELLPAGE_FIGURES }),
    { description: 'Over all matching rows; one per currency' },
  ),
  meta: Type.Object({
    from: Type.String(),
    to: Type.String(),
    isCut: Type.Boolean({ description: 'True if more rows match than are listed' }),
  }),
})

const AlertKind = oneOf(['under-delivery', 'exhausted-early', 'ctr-collapse', 'sync-failing'])

export const AlertQuery = strict({
  ...PAGE_QUERY,
  kind: Type.Optional(AlertKind),
  advertiserId: Type.Optional(Uuid),
  campaignId: Type.Optional(Uuid),
  connectionId: Type.Optional(Uuid),
})
export const Alert = Type.Object({
  id: Uuid,
  kind: AlertKind,
  reason: Type.String({ description: 'The finding, and what it is compared with, as a sentence' }),
  advertiserId: Uuid,
  campaignId: nullable(Uuid),
  campaignName: nullable(Type.String()),
  connectionId: nullable(Uuid),
  openedAt: Instant,
  closedAt: nullable(Instant),
})
export const Alerts = pageOf(Alert)
