import { Type } from 'typebox'
import { UserId } from './readers.ts'
import { Instant, MicrosText, nullable, strict, textOf, Uuid } from '../shared.ts'

const Day = Type.String({ format: 'date', description: 'A UTC day', examples: ['2030-01-01'] })
const InstantOrDayOf = (description: string) => Type.Union([Instant, Day], { description })
const InstantOrDay = InstantOrDayOf('An instant (RFC 3339) or a whole UTC day')

export const AuctionQuery = strict({
  userId: Type.Optional(UserId),
  placementType: Type.Optional(textOf(50, 'feed')),
  startDate: Type.Optional(InstantOrDay),
  endDate: Type.Optional(InstantOrDay),
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

export const Auction = Type.Object({
  id: Uuid,
  kind: Type.String({ description: 'Kind of ad request: `auction`, `slug` or `page`' }),
  userKey: nullable(Type.String({ description: 'Keyed hash of the user id' })),
  wonBy: nullable(
    Type.Enum(['bid', 'booking'], {
      description:
        '`booking`: a direct booking or a fallback was shown, no bid won; null without an ad',
    }),
  ),
  placementType: Type.String(),
  placementId: nullable(Uuid),
  siteId: nullable(Uuid),
  auctionTime: Instant,
  bidCount: Type.Integer({ description: 'Bids scored: at least the best two if there are two' }),
  winningAdId: nullable(Uuid),
  winningCampaignId: nullable(Uuid),
  currency: Type.String({ description: 'ISO 4217; XXX if nothing was sold' }),
  finalPrice: nullable(Decimal),
  finalPriceMicros: nullable(MicrosText),
  winningEcpm: nullable(
    Type.Number({
      description: 'Score of the winning bid, in the currency per impression, not per thousand',
    }),
  ),
  winningEcpmMicros: nullable(MicrosText),
  emptyReason: nullable(Type.String()),
  indexVersion: Type.Integer(),
  durationMicros: Type.Integer(),
})

export const AuctionPage = Type.Object({
  items: Type.Array(Auction),
  totalCount: Type.Integer(),
  isTotalCapped: Type.Boolean({ description: 'True if there are more than `totalCount`' }),
  page: Type.Integer(),
  pageSize: Type.Integer(),
  totalPages: Type.Integer(),
  nextCursor: Type.Optional(Type.String()),
})

export const AuctionStatisticsQuery = strict({
  startDate: Type.Optional(
    InstantOrDayOf(
      'An instant (RFC 3339) or a UTC day; rounded down to the start of its quarter-hour: 12:07 counts from 12:00',
    ),
  ),
  endDate: Type.Optional(
    InstantOrDayOf(
      'An instant (RFC 3339) or a whole UTC day; rounded up to the end of its quarter-hour: 12:08 counts until 12:15, and 12:15 until 12:30',
    ),
  ),
})

const MeanEcpm = Type.Number({
  description: 'Mean score of winning bids, in the currency per impression, not per thousand',
})

const STATISTICS = {
  totalAuctions: Type.Integer({
    description: 'Decisions open to bids: no direct booking filled them',
  }),
  bookedDecisions: Type.Integer({
    description: 'Decisions filled by a direct booking or a fallback; not counted as auctions',
  }),
  averageWinRate: Type.Number({ description: 'Percent of auctions won by a bid' }),
  averageEcpm: nullable(MeanEcpm),
  averageEcpmMicros: nullable(MicrosText),
  totalBidsPlaced: Type.Integer(),
}

export const AuctionStatistics = Type.Object(
  {
    ...STATISTICS,
    from: nullable(Instant),
    to: nullable(Instant),
    currencies: Type.Array(Type.Object({ currency: Type.String(), ...STATISTICS })),
  },
  {
    description:
      'Covers the whole quarter-hours that the range touches; `from` and `to` say which. The overall `averageEcpm` is null if auctions had more than one currency.',
  },
)
