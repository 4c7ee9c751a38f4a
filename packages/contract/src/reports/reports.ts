import { Type, type Static } from 'typebox'
import { patchOf } from '../patch.ts'
import {
  Country,
  Instant,
  Name,
  nullable,
  oneOf,
  PAGE_QUERY,
  ROW_FIELDS,
  strict,
  textOf,
  TimeZone,
  Uuid,
} from '../shared.ts'

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
  'channel',
] as const

/** Views and conversions; every report has them. */
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
  'reach',
  'videoStarts',
  'firstQuartiles',
  'midpoints',
  'thirdQuartiles',
  'videoCompletes',
  'completionRate',
  ...OUTCOME_METRICS,
] as const

export type ReportDimension = (typeof REPORT_DIMENSIONS)[number]
export type ReportMetric = (typeof REPORT_METRICS)[number]

const Day = Type.String({ format: 'date', description: 'A day in `timeZone`' })
const idsOf = () => Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 1_000 }))
const wordsOf = (example: string, maxLength: number) =>
  Type.Optional(Type.Array(textOf(maxLength, example), { minItems: 1, maxItems: 1_000 }))

/** A row must match every field, with one of its values. Ids of other accounts' rows match nothing. */
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
    channel: Type.Optional(
      Type.Array(oneOf(['onsite', 'meta']), {
        minItems: 1,
        maxItems: 2,
        description: 'Includes channels other than onsite, like the dimension `channel`',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ country: ['DE'] }] },
)

/** The question, apart from its days. */
const MATTER = {
  dimensions: Type.Array(oneOf(REPORT_DIMENSIONS), {
    maxItems: 6,
    uniqueItems: true,
    description:
      'Groups the rows; none gives one row. `channel`, here or in the filters, includes other channels, which have UTC days, weeks and months, advertisers, campaigns, ad sets and ads only',
    examples: [['day', 'campaign']],
  }),
  metrics: Type.Array(oneOf(REPORT_METRICS), {
    minItems: 1,
    maxItems: REPORT_METRICS.length,
    uniqueItems: true,
    description:
      '`completionRate` is the per cent of started films that were played to their end. `reach` is how many different readers had a valid impression: a HyperLogLog count with a standard error of 1.6 %, by UTC days, weeks or months',
    examples: [['impressions', 'clicks', 'ctr', 'spendMicros']],
  }),
  filters: Type.Optional(ReportFilters),
  traffic: Type.Optional(
    Type.Enum(['valid', 'all'], {
      default: 'valid',
      description: 'Valid traffic only, or all labels; a filter by label overrides it',
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
      { maxItems: 4, description: 'Dimensions or metrics of this report' },
    ),
  ),
}

export const REPORT_PERIODS = [
  'today',
  'today-and-6-days',
  'yesterday',
  'last-7-days',
  'last-30-days',
  'last-90-days',
  'this-month',
  'last-month',
] as const
export type ReportPeriod = (typeof REPORT_PERIODS)[number]

const Period = Type.Enum([...REPORT_PERIODS], {
  description:
    'Whole days in `timeZone` before today; `this-month` and names with `today` include today',
  examples: ['last-7-days'],
})

const QUESTION = {
  ...MATTER,
  from: Type.Optional(Type.Unsafe<string>({ ...Day, examples: ['2026-06-01'] })),
  to: Type.Optional(
    Type.Unsafe<string>({
      ...Day,
      description: 'Last day, included',
      examples: ['2026-06-30'],
    }),
  ),
  period: Type.Optional(
    Type.Unsafe<ReportPeriod>({ ...Period, description: 'Used if `from` and `to` are absent' }),
  ),
  timeZone: Type.Optional(TimeZone),
}

const COMPARE = {
  compare: Type.Optional(
    Type.Enum(['previous-period'], {
      description:
        'Compare with the same number of days before: `previous` in each row and in the totals, columns of their own in a CSV file',
      examples: ['previous-period'],
    }),
  ),
}

export const ReportQuery = strict({
  ...QUESTION,
  ...COMPARE,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 })),
})
export type ReportQuery = Static<typeof ReportQuery>

/** How a file looks. */
const FILE = {
  ...COMPARE,
  format: Type.Optional(Type.Enum(['csv', 'json'], { default: 'csv', examples: ['csv'] })),
  headings: Type.Optional(
    Type.Enum(['fields', 'words'], {
      default: 'fields',
      description:
        'Of a CSV file: names of fields for programs, or words for people, with names instead of ids and amounts in units of the currency',
      examples: ['words'],
    }),
  ),
  name: Type.Optional(
    Type.Unsafe<string>({ ...Name, description: 'Part of the file’s name, beside the days' }),
  ),
}

export const ReportExport = strict({ ...QUESTION, ...FILE })
export type ReportExport = Static<typeof ReportExport>

/** A question whose answer is written to a file, of any length. */
export const CreateReportExport = strict({
  ...QUESTION,
  ...FILE,
  recipientId: Type.Optional(
    Type.Unsafe<string>({ ...Uuid, description: 'Recipient of a notice with the file’s address' }),
  ),
})
export type CreateReportExport = Static<typeof CreateReportExport>

export const EXPORT_STATUSES = ['waiting', 'running', 'ready', 'failed', 'expired'] as const

export const ReportExportFile = Type.Object({
  ...ROW_FIELDS,
  status: oneOf(EXPORT_STATUSES),
  format: oneOf(['csv', 'json']),
  rowCount: Type.Integer({ description: 'Rows written so far' }),
  byteCount: Type.Integer({ description: 'Bytes of the file, once it is ready' }),
  isCut: Type.Boolean({ description: 'True if there were more rows than a file may hold' }),
  recipientId: nullable(Uuid),
  failure: nullable(Type.String({ description: 'Why the export failed' })),
  finishedAt: nullable(Instant),
  expiresAt: Type.Unsafe<string>({ ...Instant, description: 'When the file is deleted' }),
})
export const ReportExportParams = Type.Object({ reportExportId: Uuid })
export const ReportExportQuery = strict({
  ...PAGE_QUERY,
  status: Type.Optional(oneOf(EXPORT_STATUSES)),
})

const Figures = Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()]))
const Row = Type.Object(
  {
    currency: Type.String({
      description: 'ISO 4217; amounts in different currencies are never added',
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
  totals: Type.Array(Row, { description: 'Over all rows, not only this page; one per currency' }),
  nextOffset: Type.Optional(Type.Integer()),
  from: Type.String(),
  to: Type.String(),
  timeZone: Type.String(),
  previousFrom: Type.Optional(Type.String()),
  previousTo: Type.Optional(Type.String()),
})

export const BannerStatsQuery = strict({
  from: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      format: 'date',
      description: 'A UTC day; default: 30 days before `to`',
      examples: ['2026-06-01'],
    }),
  ),
  to: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      format: 'date',
      description: 'Last day, included; default: yesterday',
      examples: ['2026-06-30'],
    }),
  ),
  bannerId: Type.Optional(Uuid),
  placementId: Type.Optional(Uuid),
  campaignId: Type.Optional(Uuid),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 })),
})
export type BannerStatsQuery = Static<typeof BannerStatsQuery>

export const BannerStats = Type.Object({
  rows: Type.Array(
    Type.Object({
      date: Type.String({ description: 'A UTC day in the past' }),
      bannerId: Uuid,
      bannerTitle: Type.String(),
      placementId: nullable(Uuid),
      campaignId: nullable(Uuid),
      currency: Type.String(),
      impressions: Type.Integer(),
      clicks: Type.Integer(),
      ctr: Type.Number({ description: 'Per cent, two decimals' }),
      spendMicros: Type.String(),
    }),
  ),
  nextOffset: Type.Optional(Type.Integer()),
  from: Type.String(),
  to: Type.String(),
})

export const RebuildDay = strict({
  day: Type.String({ format: 'date', description: 'A UTC day', examples: ['2026-06-01'] }),
})
export const RebuildRequested = Type.Object({ day: Type.String() })

/** A question with a period relative to the day it is asked. */
export const SavedQuestion = strict({
  ...MATTER,
  period: Period,
})
export type SavedQuestion = Static<typeof SavedQuestion>

const SAVED = {
  name: Name,
  question: SavedQuestion,
  timeZone: TimeZone,
  format: Type.Enum(['csv', 'json'], { examples: ['csv'] }),
  recipientId: nullable(Uuid),
  every: nullable(
    Type.Enum(['day', 'week', 'month'], {
      description: 'Sent every day, on Mondays, or on the first of a month',
      examples: ['week'],
    }),
  ),
  atHour: Type.Integer({
    minimum: 0,
    maximum: 23,
    description: 'Hour of the day, in `timeZone`',
    examples: [6],
  }),
}
export const CreateSavedReport = strict({
  name: SAVED.name,
  question: SAVED.question,
  timeZone: Type.Optional(SAVED.timeZone),
  format: Type.Optional(SAVED.format),
  recipientId: Type.Optional(SAVED.recipientId),
  every: Type.Optional(SAVED.every),
  atHour: Type.Optional(SAVED.atHour),
})
export const PatchSavedReport = patchOf(SAVED)
export const SavedReportParams = Type.Object({ savedReportId: Uuid })
export const SavedReportQuery = strict({ ...PAGE_QUERY, recipientId: Type.Optional(Uuid) })
export const SavedReport = Type.Object({
  ...ROW_FIELDS,
  ...SAVED,
  nextDueAt: nullable(Instant),
  lastSentAt: nullable(Instant),
  failure: nullable(Type.String({ description: 'Why the last report could not be sent' })),
})
