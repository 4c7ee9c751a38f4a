import { Type } from 'typebox'
import { Currency, Instant, MicrosText, nullable, oneOf, strict, Uuid } from '../shared.ts'

export const PacerParams = Type.Object({ campaignId: Uuid })
export const PacerQuery = strict({
  campaignId: Type.Optional(Uuid),
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, default: 1, description: 'Counted from 1' }),
  ),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  cursor: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9._-]{1,128}$',
      description: 'From `nextCursor`; `page` is then ignored',
    }),
  ),
})

const Decimal = Type.Number({ description: 'In the currency' })
const Percent = Type.Number({ description: 'Percent, two decimals' })

/** Seed 0's decimals, with the exact amounts beside them. */
export const BudgetPacer = Type.Object({
  id: Type.String({
    format: 'uuid',
    description: 'Id of the campaign: each campaign has one pacer',
  }),
  campaignId: Uuid,
  campaignName: Type.String(),
  campaignStatus: Type.String(),
  currency: Currency,
  day: Type.String({ format: 'date', description: "Today in the advertiser's zone" }),
  dailyBudget: nullable(Decimal),
  dailyBudgetMicros: nullable(MicrosText),
  spentToday: Decimal,
  spentTodayMicros: MicrosText,
  plannedMicros: Type.Union([MicrosText, Type.Null()], {
    description: 'Spend by now if the budget were spread evenly over the day',
  }),
  remainingBudget: nullable(Decimal),
  remainingBudgetMicros: nullable(MicrosText),
  utilizationPercent: Percent,
  leasedMicros: Type.String({ description: 'Leased to nodes: to be spent soon or returned' }),
  strategy: oneOf(['Smooth', 'Accelerated']),
  lastUpdated: Instant,
})

export const BudgetPacerPage = Type.Object({
  items: Type.Array(BudgetPacer),
  totalCount: Type.Integer(),
  isTotalCapped: Type.Boolean({ description: 'True if there are more than `totalCount`' }),
  page: Type.Integer(),
  pageSize: Type.Integer(),
  totalPages: Type.Integer(),
  nextCursor: Type.Optional(Type.String()),
})

const STATISTICS = {
  totalCampaigns: Type.Integer({ description: 'Campaigns with a daily budget' }),
  totalDailyBudget: nullable(Decimal),
  totalDailyBudgetMicros: nullable(MicrosText),
  totalSpentToday: nullable(Decimal),
  totalSpentTodayMicros: nullable(MicrosText),
  averageUtilization: Percent,
  campaignsExceeded: Type.Integer({ description: 'Campaigns that have used up today’s budget' }),
}

export const BudgetStatistics = Type.Object(
  {
    ...STATISTICS,
    currencies: Type.Array(Type.Object({ currency: Currency, ...STATISTICS })),
  },
  {
    description:
      'Each campaign counts its own budget day. Totals are null if campaigns have more than one currency.',
  },
)
