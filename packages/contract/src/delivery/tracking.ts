import { Type } from 'typebox'
import {
  Amount,
  Country,
  Instant,
  instantLike,
  MicrosText,
  nullable,
  oneOf,
  strict,
  textOf,
  Uuid,
} from '../shared.ts'
import { Consent } from './consent.ts'

export const TrackingToken = Type.String({
  minLength: 1,
  maxLength: 288,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'The encrypted token of a served ad',
  examples: ['AQFhYmNkZWY'],
})
export const TrackingParams = Type.Object({ token: TrackingToken })

/** Steps of a film that a player reports, by their names in VAST. */
export const FILM_EVENTS = [
  'loaded',
  'start',
  'firstQuartile',
  'midpoint',
  'thirdQuartile',
  'complete',
  'skip',
  'progress',
  'mute',
  'unmute',
  'pause',
  'resume',
  'rewind',
  'closeLinear',
  'playerExpand',
  'playerCollapse',
  'fullscreen',
  'exitFullscreen',
  'creativeView',
] as const
export type FilmEvent = (typeof FILM_EVENTS)[number]

const progressName = (names: readonly string[], more = '') =>
  Type.String({
    pattern: `^(${names.join('|')}|custom-[0-9]{1,4})$`,
    description: `A step of a film by its name in VAST, or an event of your own: \`custom-\` and up to four digits${more}`,
    examples: ['midpoint'],
  })
const ProgressName = progressName(FILM_EVENTS)
export const ProgressParams = Type.Object({
  token: TrackingToken,
  event: progressName([...FILM_EVENTS, 'viewable'], '; `viewable` counts a view'),
})
export const NoticeQuery = Type.Object({
  x: Type.Optional(
    Type.String({
      maxLength: 100,
      format: 'plain-text',
      description: 'The seal of a key, as the bid gave it',
    }),
  ),
})
export const FilmErrorQuery = Type.Object({
  code: Type.Optional(
    Type.String({
      maxLength: 100,
      format: 'plain-text',
      description: 'A code of VAST, from 100 to 999; anything else counts as 900',
      examples: ['303'],
    }),
  ),
})

const PageUrl = Type.String({ maxLength: 4_096, examples: ['https://news.example/today'] })
const SessionId = Type.String({ minLength: 1, maxLength: 128, examples: ['session-1'] })

/** One event of a beacon. */
export const BeaconEvent = Type.Object({
  token: TrackingToken,
  kind: oneOf(['impression', 'view', 'click', 'progress']),
  name: Type.Optional(ProgressName),
  occurredAt: Type.Optional(Instant),
  pageUrl: Type.Optional(PageUrl),
  referrerUrl: Type.Optional(PageUrl),
  sessionId: Type.Optional(SessionId),
  userAgent: Type.Optional(Type.String({ maxLength: 1_024 })),
  ip: Type.Optional(Type.String({ maxLength: 45 })),
})

/** A refusal after the ad was served: the event counts, without the reader. */
const LATER_CONSENT = { consent: Type.Optional(Consent) }

/** Each event is judged alone: a malformed one never fails the others. */
export const Beacon = Type.Object({
  events: Type.Array(Type.Unknown({ examples: [{ token: 'AQFhYmNkZWY', kind: 'impression' }] }), {
    minItems: 1,
    maxItems: 50,
  }),
  ...LATER_CONSENT,
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

/** Text without invisible characters. */
const PlainUrl = Type.String({
  maxLength: 4_096,
  format: 'plain-text',
  examples: ['https://news.example/today'],
})
const plainId = (example: string) =>
  Type.String({ minLength: 1, maxLength: 128, format: 'plain-text', examples: [example] })

/** Sent by a server: the user the event is about. Ignored without a key of the publisher with `serving:write`. */
const READER_SAID = {
  userAgent: Type.Optional(
    Type.String({
      maxLength: 1_024,
      format: 'plain-text',
      description:
        'User agent of the reader’s browser, for events that a server sends with its key',
      examples: ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    }),
  ),
  ip: Type.Optional(
    Type.String({
      maxLength: 45,
      format: 'plain-text',
      description:
        'IP address of the reader, for events that a server sends with its key. Never stored',
      examples: ['203.0.113.7'],
    }),
  ),
}
const EVENT_TOKENS = {
  eventToken: Type.Optional(
    Type.Unsafe<string>({
      ...TrackingToken,
      description:
        'As served. Without it, an event is billed only if a key of the publisher sends it',
    }),
  ),
  token: Type.Optional(
    Type.Unsafe<string>({ ...TrackingToken, description: 'The same as `eventToken`' }),
  ),
}

/** Seed 0's shape: names the ad and the user, and is matched to the newest auction of both. */
export const AdEvent = Type.Object({
  adId: Uuid,
  userId: plainId('user-1'),
  timestamp: Type.Optional(Instant),
  eventId: Type.Optional(plainId('event-1')),
  ...EVENT_TOKENS,
  ...READER_SAID,
  ...LATER_CONSENT,
})

const uuidLike = (example: string, description?: string) =>
  Type.String({ format: 'uuid', examples: [example], ...(description && { description }) })

/** Seed 2's shape. */
export const BannerEvent = Type.Object({
  correlationId: Type.Optional(uuidLike('01990000-0000-7000-8000-00000000c0de')),
  bannerPublicId: uuidLike('01990000-0000-7000-8000-000000000004'),
  placementPublicId: Type.Optional(uuidLike('01990000-0000-7000-8000-000000000005')),
  placementSlug: Type.Optional(plainId('home-top')),
  campaignPublicId: Type.Optional(Type.Union([Uuid, Type.Null()])),
  sessionId: Type.Optional(plainId('session-1')),
  userId: Type.Optional(plainId('user-1')),
  deviceType: Type.Optional(oneOf(['mobile', 'tablet', 'desktop'])),
  countryCode: Type.Optional(Country),
  pageUrl: Type.Optional(PlainUrl),
  referrerUrl: Type.Optional(PlainUrl),
  destinationUrl: Type.Optional(PlainUrl),
  occurredAt: Type.Optional(Instant),
  ...EVENT_TOKENS,
  ...READER_SAID,
  ...LATER_CONSENT,
})
export const Accepted = Type.Object({ accepted: Type.Boolean() })

export const ConversionKind = oneOf(['content_view', 'add_to_cart', 'checkout', 'purchase'])
const CONVERSION_FIELDS = {
  kind: ConversionKind,
  orderId: Type.Optional(plainId('order-1')),
  valueMicros: Type.Optional(Amount),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', examples: ['EUR'] })),
  occurredAt: Type.Optional(Instant),
  ...LATER_CONSENT,
}

/** By the click id on the landing page, sent by the page or by a server. */
export const TokenConversion = Type.Object({ token: TrackingToken, ...CONVERSION_FIELDS })

/** Sent by the advertiser's server, for a user it knows. */
export const ServerConversion = strict({
  advertiserId: Uuid,
  userId: plainId('user-1'),
  publisherId: Type.Optional(
    uuidLike(
      '01990000-0000-7000-8000-000000000006',
      'Whose user this is. Default: the default publisher',
    ),
  ),
  eventId: plainId('event-1'),
  ...CONVERSION_FIELDS,
})

export const PixelQuery = Type.Object({
  kind: Type.Optional(ConversionKind),
  order: Type.Optional(plainId('order-1')),
  value: Type.Optional(Amount),
  currency: CONVERSION_FIELDS.currency,
})

const Day = Type.String({ format: 'date', examples: ['2030-01-01'] })
export const LedgerParams = Type.Object({ campaignId: Uuid })
/** Default: the last month. */
export const LedgerQuery = strict({ fromDay: Type.Optional(Day), toDay: Type.Optional(Day) })
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

export const DeliveryParams = Type.Object({ campaignId: Uuid })
export const DeliveryQuery = strict({
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
})
const COUNTS = {
  impressions: Type.Integer(),
  views: Type.Integer(),
  clicks: Type.Integer(),
}
export const CampaignDelivery = Type.Object(
  {
    from: Instant,
    to: Instant,
    rendered: Type.Integer({ description: 'Valid impressions' }),
    viewable: Type.Integer({ description: 'At least half in view for one second, video for two' }),
    clicked: Type.Integer({ description: 'Valid clicks' }),
    overDelivered: Type.Integer({
      description: 'Valid, but after the budget was used up: not charged',
    }),
    chargedMicros: MicrosText,
    unfiltered: Type.Object(COUNTS),
    invalidShare: Type.Object(
      { impressions: Type.Number(), clicks: Type.Number() },
      {
        description:
          'Invalid share of impressions and of clicks, from 0 to 1; `labels` has the reasons',
      },
    ),
    labels: Type.Array(Type.Object({ label: Type.String(), ...COUNTS })),
    conversions: Type.Array(
      Type.Object({
        kind: ConversionKind,
        conversions: Type.Integer(),
        credit: Type.Number({
          description: 'Less than `conversions` if other clicks share in them',
        }),
      }),
    ),
    video: Type.Record(oneOf(FILM_EVENTS), Type.Integer(), {
      description: 'How far films came with valid readers',
    }),
    videoErrors: Type.Array(Type.Object({ code: Type.Integer(), count: Type.Integer() }), {
      description: 'What players could not play, by its code in VAST, the most frequent first',
    }),
    customEvents: Type.Array(Type.Object({ number: Type.Integer(), count: Type.Integer() })),
  },
  { description: '`unfiltered` is the sum over all labels, `valid` included' },
)
const QuarantinedName = Type.Object({ id: Uuid, name: Type.String() })

export const QuarantinedEvents = Type.Object({
  items: Type.Array(
    Type.Object({
      eventId: Uuid,
      reason: Type.String(),
      detail: Type.String(),
      kind: Type.String({
        description: '`impression`, `view`, `click`, or the kind of a conversion',
      }),
      ad: nullable(QuarantinedName),
      campaign: nullable(QuarantinedName),
      banner: nullable(QuarantinedName),
      receivedAt: Instant,
      quarantinedAt: Instant,
    }),
  ),
})

export const ForgetUser = strict({
  userId: Type.String({
    minLength: 1,
    maxLength: 200,
    format: 'plain-text',
    description: 'A publisher’s own id of the user, as in ad requests',
    examples: ['7d444840-9dc0-11d1-b245-5ffdce74fad2'],
  }),
})
export const ForgottenUser = Type.Object({
  erased: Type.Object({
    impressions: Type.Integer(),
    views: Type.Integer(),
    clicks: Type.Integer(),
    conversions: Type.Integer(),
    frequencyCounts: Type.Integer(),
    decisions: Type.Integer(),
    segments: Type.Integer({ description: 'Readers of whom segments or a purchase were known' }),
    visits: Type.Integer({ description: 'Readers whose first visit was known' }),
    counters: Type.Integer({ description: 'Counters deleted from the memory of this node' }),
  }),
  isSweepPending: Type.Boolean({
    description: 'True while days without an index are still being searched',
  }),
})

const RescoreLabel = oneOf(['bot', 'data-centre', 'blocked-session', 'burst'])
const RESCORE_RULE = {
  siteId: Type.Optional(Uuid),
  placementId: Type.Optional(Uuid),
  campaignId: Type.Optional(Uuid),
  countryCode: Type.Optional(Country),
  deviceType: Type.Optional(plainId('desktop')),
  sessionIds: Type.Optional(Type.Array(plainId('session-1'), { minItems: 1, maxItems: 1_000 })),
}
/** All given fields must match. At least one is required: nobody means to rescore a whole period. */
const RescoreRule = Type.Object(RESCORE_RULE, { additionalProperties: false, minProperties: 1 })
export const RescoreEvents = strict({
  from: instantLike('2026-01-01T00:00:00Z'),
  to: instantLike('2026-01-02T00:00:00Z'),
  label: RescoreLabel,
  note: textOf(500, 'A farm of phones, found on Monday'),
  rule: RescoreRule,
})
export const RescoreOrdered = Type.Object({ id: Uuid })
export const Rescores = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Uuid,
      from: Instant,
      to: Instant,
      label: Type.String(),
      note: Type.String(),
      rule: Type.Object(RESCORE_RULE),
      orderedAt: Instant,
      events: Type.Integer(),
      creditedMicros: MicrosText,
      doneAt: nullable(Instant),
    }),
  ),
})
