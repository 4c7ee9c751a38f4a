import { Type, type Static } from 'typebox'
import { Country, nullable, oneOf, strict, textOf, TimeZone, Uuid } from './shared.ts'

export const REPORT_DIMENSIONS = [
  'day',
  'hour',
  'week',
  'month',
  'budgetDay',
  'advertiser',
  'campaign',
  'adSet',
  'ad',
  'banner',
  'placement',
  'site',
  'country',
  'device',
  'label',
] as const

/** What came of the clicks; every report has these. */
export const OUTCOME_METRICS = [
  'contentViews',
  'addToCarts',
  'checkouts',
  'purchases',
  'revenue',
  'revenueMicros',
  'checkoutRate',
  'purchaseRate',
  'conversionRate',
  'costPerView',
  'costPerCheckout',
  'costPerPurchase',
  'roas',
] as const

export const REPORT_METRICS = [
  'impressions',
  'clicks',
  'spend',
  'spendMicros',
  'ctr',
  'cpc',
  'cpm',
  'views',
  'viewRate',
  'overDelivered',
  ...OUTCOME_METRICS,
] as const

export type ReportDimension = (typeof REPORT_DIMENSIONS)[number]
export type ReportMetric = (typeof REPORT_METRICS)[number]

const Day = Type.String({ format: 'date', description: 'A day in `timeZone`' })
const idsOf = () => Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 1_000 }))
const wordsOf = (example: string, maxLength: number) =>
  Type.Optional(Type.Array(textOf(maxLength, example), { minItems: 1, maxItems: 1_000 }))

/** A row must have one of the named values in each field; ids of others' rows find nothing. */
export const ReportFilters = Type.Object(
  {
    advertiserId: idsOf(),
    campaignId: idsOf(),
    adSetId: idsOf(),
    adId: idsOf(),
    bannerId: idsOf(),
    placementId: idsOf(),
    siteId: idsOf(),
    country: Type.Optional(Type.Array(Country, { minItems: 1, maxItems: 300 })),
    device: wordsOf('mobile', 50),
    label: wordsOf('valid', 50),
  },
  { additionalProperties: false, examples: [{ country: ['DE'] }] },
)

const QUESTION = {
  dimensions: Type.Array(oneOf(REPORT_DIMENSIONS), {
    maxItems: 6,
    uniqueItems: true,
    description: 'What the rows are by; none gives one row',
    examples: [['day', 'campaign']],
  }),
  metrics: Type.Array(oneOf(REPORT_METRICS), {
    minItems: 1,
    maxItems: REPORT_METRICS.length,
    uniqueItems: true,
    examples: [['impressions', 'clicks', 'ctr', 'spendMicros']],
  }),
  from: { ...Day, examples: ['2026-06-01'] },
  to: { ...Day, description: 'The last day, included', examples: ['2026-06-30'] },
  timeZone: Type.Optional(TimeZone),
  filters: Type.Optional(ReportFilters),
  traffic: Type.Optional(
    Type.Enum(['valid', 'all'], {
      default: 'valid',
      description: 'Valid traffic, or everything with its labels; a filter by label wins',
      examples: ['valid'],
    }),
  ),
  sort: Type.Optional(
    Type.Array(
      strict({
        by: textOf(30, 'impressions'),
        direction: Type.Optional(
          Type.Enum(['asc', 'desc'], { default: 'asc', examples: ['desc'] }),
        ),
      }),
      { maxItems: 4, description: 'Dimensions or metrics that were asked for' },
    ),
  ),
}

export const ReportQuery = strict({
  ...QUESTION,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 })),
  compare: Type.Optional(
    Type.Enum(['previous-period'], {
      description: 'As many days right before; in each row and in the totals as `previous`',
      examples: ['previous-period'],
    }),
  ),
})
export type ReportQuery = Static<typeof ReportQuery>

export const ReportExport = strict({
  ...QUESTION,
  format: Type.Optional(Type.Enum(['csv', 'json'], { default: 'csv', examples: ['csv'] })),
})
export type ReportExport = Static<typeof ReportExport>

const Figures = Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()]))
const Row = Type.Object(
  {
    currency: Type.String({
      description: 'ISO 4217; amounts of different currencies never add up',
    }),
    previous: Type.Optional(nullable(Figures)),
  },
  {
    additionalProperties: true,
    description: 'The dimensions (`day`, `campaignId`, `campaignName`, …) and the metrics',
  },
)

export const Report = Type.Object({
  rows: Type.Array(Row),
  totals: Type.Array(Row, { description: 'Over all rows, not only these; one per currency' }),
  nextOffset: Type.Optional(Type.Integer()),
  from: Type.String(),
  to: Type.String(),
  timeZone: Type.String(),
  previousFrom: Type.Optional(Type.String()),
  previousTo: Type.Optional(Type.String()),
})

export const RebuildDay = strict({
  day: Type.String({ format: 'date', description: 'A UTC day', examples: ['2026-06-01'] }),
})
export const RebuildRequested = Type.Object({ day: Type.String() })
