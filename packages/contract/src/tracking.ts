import { Type } from 'typebox'
import { Instant, MicrosText, nullable, oneOf, strict, Uuid } from './shared.ts'

export const TrackingToken = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'A sealed link of a served ad',
  examples: ['AQFhYmNkZWY'],
})
export const TrackingParams = Type.Object({ token: TrackingToken })

const PageUrl = Type.String({ maxLength: 4_096, examples: ['https://news.example/today'] })
const SessionId = Type.String({ minLength: 1, maxLength: 128, examples: ['session-1'] })

/** One event of a beacon. */
export const BeaconEvent = Type.Object({
  token: TrackingToken,
  kind: oneOf(['impression', 'view', 'click']),
  occurredAt: Type.Optional(Instant),
  pageUrl: Type.Optional(PageUrl),
  referrerUrl: Type.Optional(PageUrl),
  sessionId: Type.Optional(SessionId),
})

/** Each event is looked at by itself: a malformed one never fails the others. */
export const Beacon = Type.Object({
  events: Type.Array(Type.Unknown({ examples: [{ token: 'AQFhYmNkZWY', kind: 'impression' }] }), {
    minItems: 1,
    maxItems: 50,
  }),
})
export const EventVerdict = oneOf([
  'accepted',
  'expired',
  'forged',
  'other-kind',
  'malformed',
  'too-old',
  'refused',
])
export const BeaconAnswer = Type.Object({
  results: Type.Array(Type.Object({ verdict: EventVerdict })),
})

/** Seed 0's shape: names the ad and the user, and is matched to the newest auction of the two. */
export const AdEvent = Type.Object({
  adId: Uuid,
  userId: Type.String({ minLength: 1, maxLength: 128, examples: ['user-1'] }),
  timestamp: Type.Optional(Instant),
  eventId: Type.Optional(Type.String({ minLength: 1, maxLength: 128, examples: ['event-1'] })),
  token: Type.Optional(TrackingToken),
})

/** Seed 2's shape. */
export const BannerEvent = Type.Object({
  correlationId: Uuid,
  bannerPublicId: Uuid,
  placementSlug: Type.String({ minLength: 1, maxLength: 128, examples: ['home-top'] }),
  campaignPublicId: Type.Optional(Type.Union([Uuid, Type.Null()])),
  sessionId: Type.Optional(SessionId),
  userId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  pageUrl: Type.Optional(PageUrl),
  referrerUrl: Type.Optional(PageUrl),
  destinationUrl: Type.Optional(PageUrl),
  occurredAt: Type.Optional(Instant),
  token: Type.Optional(TrackingToken),
})
export const Accepted = Type.Object({ accepted: Type.Boolean() })

export const ConversionKind = oneOf(['content_view', 'add_to_cart', 'checkout', 'purchase'])
const CONVERSION_FIELDS = {
  kind: ConversionKind,
  orderId: Type.Optional(Type.String({ minLength: 1, maxLength: 128, examples: ['order-1'] })),
  valueMicros: Type.Optional(MicrosText),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', examples: ['EUR'] })),
  occurredAt: Type.Optional(Instant),
}

/** By the token that the landing page got, from the page or from a server. */
export const TokenConversion = Type.Object({ token: TrackingToken, ...CONVERSION_FIELDS })

/** From the advertiser's server, by the user it knows. */
export const ServerConversion = Type.Object({
  advertiserId: Uuid,
  userId: Type.String({ minLength: 1, maxLength: 128, examples: ['user-1'] }),
  eventId: Type.String({ minLength: 1, maxLength: 128, examples: ['event-1'] }),
  ...CONVERSION_FIELDS,
})

export const PixelQuery = Type.Object({
  kind: ConversionKind,
  order: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  value: Type.Optional(MicrosText),
  currency: CONVERSION_FIELDS.currency,
})

const Day = Type.String({ format: 'date', examples: ['2030-01-01'] })
export const LedgerParams = Type.Object({ campaignId: Uuid })
export const LedgerQuery = strict({ fromDay: Day, toDay: Day })
export const CampaignLedger = Type.Object({
  days: Type.Array(
    Type.Object({
      day: Day,
      limitMicros: nullable(MicrosText),
      spentMicros: MicrosText,
      entriesMicros: Type.String(),
      allowanceMicros: MicrosText,
      agrees: Type.Boolean(),
    }),
  ),
})
export const ProveLedger = strict({ fromDay: Day, toDay: Day })
export const LedgerProofs = Type.Object({
  items: Type.Array(
    Type.Object({
      provedAt: Type.String(),
      budgetDays: Type.Integer(),
      differenceMicros: Type.String(),
      faults: Type.Array(
        Type.Object({
          kind: Type.String(),
          scope: Type.String(),
          day: Type.String(),
          differenceMicros: Type.String(),
        }),
      ),
    }),
  ),
})
