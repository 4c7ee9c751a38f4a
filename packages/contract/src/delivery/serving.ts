import { Type, type Static } from 'typebox'
import { Consent, CONSENT_QUERY } from './consent.ts'
import { CONTEXT_TOKEN_LENGTH_MAX } from './readers.ts'
import { Instant, MicrosText, textOf, Uuid, WebUrl } from '../shared.ts'

/** Public routes accept unknown fields: a newer tag may send fields this node does not know yet. */
const Slug = textOf(100, 'home-top')
const UserId = Type.String({
  minLength: 1,
  maxLength: 200,
  format: 'plain-text',
  description: 'The caller’s own id of the user; stored as a keyed hash only',
  examples: ['7d444840-9dc0-11d1-b245-5ffdce74fad2'],
})
const SessionId = Type.String({
  minLength: 1,
  maxLength: 128,
  format: 'plain-text',
  description:
    'The caller’s own id of the visit; events with the same id are matched to this answer',
  examples: ['session-1'],
})
const Floor = Type.Number({
  minimum: 0,
  maximum: 1_000_000,
  description:
    'Lowest price per thousand impressions. Can only raise the placement’s floor; ignored without a key of its publisher with `serving:write`',
  examples: [0.5],
})
const Facts = Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
  description: 'What the caller knows about the reader; ignored without a key with `serving:write`',
  examples: [{ segment: 'high-intent', lastPurchaseDaysAgo: '3' }],
})
const ContextToken = Type.String({
  pattern: '^[A-Za-z0-9._-]+$',
  maxLength: CONTEXT_TOKEN_LENGTH_MAX,
  description: 'What the publisher’s server knows about the reader, encrypted for it',
})
const READER_FIELDS = {
  userId: Type.Optional(UserId),
  sessionId: Type.Optional(SessionId),
  userContext: Type.Optional(Facts),
  consent: Type.Optional(Consent),
  contextToken: Type.Optional(ContextToken),
}

export const ServeQuery = Type.Object({
  ...CONSENT_QUERY,
  lang: Type.Optional(
    Type.String({
      maxLength: 35,
      format: 'plain-text',
      description: 'BCP 47; overrides Accept-Language',
    }),
  ),
})
export const ServeSlugQuery = Type.Object({
  ...ServeQuery.properties,
  userId: Type.Optional(UserId),
  sessionId: Type.Optional(SessionId),
})
export const ServeParams = Type.Object({ slug: Slug })

export const ServeAdRequest = Type.Object({
  ...READER_FIELDS,
  placementType: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 50,
      format: 'plain-text',
      default: 'feed',
      description: 'Without `placement`: a placement of this type of one publisher',
      examples: ['feed'],
    }),
  ),
  publisher: Type.Optional(
    Type.String({
      format: 'uuid',
      description:
        'Whose placements a request by type stands for; with a key of a publisher, its own. Default: the default publisher',
      examples: ['01990000-0000-7000-8000-000000000005'],
    }),
  ),
  placement: Type.Optional(
    Type.Unsafe<string>({ ...Slug, description: 'Slug of the placement to fill' }),
  ),
  floor: Type.Optional(Floor),
})

const Text = Type.String()

/** One schema with two types: serialising a union would try each branch on every answer. */
const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] })
const NullableInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] })
const NullableId = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  format: 'uuid',
  description: 'A public id (uuid v7)',
})

/** Absent for HEAD and prefetch, which reserve nothing. */
const LINKS = {
  impressionUrl: Type.Optional(
    Type.String({
      description: 'A one-pixel image to fetch once the ad is on the page',
    }),
  ),
  clickUrl: Type.Optional(
    Type.String({ description: 'Click address of the ad; redirects to the landing page' }),
  ),
  eventToken: Type.Optional(
    Type.String({ description: 'Token for all events of this impression; see `POST /t/e`' }),
  ),
}

export const ServedAd = Type.Object(
  {
    decisionId: Uuid,
    placement: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Slug of the placement that the ad is for',
    }),
    adId: NullableId,
    campaignId: NullableId,
    bannerId: Uuid,
    adFormat: Text,
    headline: NullableText,
    primaryText: NullableText,
    callToAction: NullableText,
    creativeUrl: NullableText,
    destinationUrl: NullableText,
    ...LINKS,
    finalPrice: Type.Optional(
      Type.Number({ description: 'In the currency; only for keys of the seller' }),
    ),
    finalPriceMicros: Type.Optional(MicrosText),
    charge: Type.Optional(Type.Number({ description: 'Per thousand impressions or per click' })),
    chargeMicros: Type.Optional(MicrosText),
    pricing: Type.Optional(Text),
    currency: Type.Optional(Text),
    servedAt: Instant,
  },
  {
    description:
      'One ad. `adId` is null for a direct booking, `campaignId` for a house banner; only keys of the seller see prices',
    examples: [
      {
        decisionId: '01990000-0000-7000-8000-000000000001',
        placement: 'home-top',
        adId: '01990000-0000-7000-8000-000000000002',
        campaignId: '01990000-0000-7000-8000-000000000003',
        bannerId: '01990000-0000-7000-8000-000000000004',
        adFormat: 'single_image',
        headline: 'Autumn sale',
        primaryText: 'Everything must go',
        callToAction: 'Shop now',
        creativeUrl: 'https://cdn.example/autumn.png',
        destinationUrl: 'https://shop.example/autumn?utm_source=placard',
        impressionUrl: 'https://ads.example/t/i/AQFhYmNkZWY',
        clickUrl: 'https://ads.example/t/c/AQFhYmNkZWY',
        eventToken: 'AQFhYmNkZWY',
        servedAt: '2030-01-01T00:00:00Z',
      },
    ],
  },
)
export type ServedAd = Static<typeof ServedAd>

export const ServedBanner = Type.Object({
  publicId: Uuid,
  campaignPublicId: NullableId,
  adPublicId: NullableId,
  format: Text,
  images: Type.Object({
    primary: Text,
    alt: NullableText,
    mobile: NullableText,
    variants: Type.Unsafe<Readonly<Record<string, string>> | null>({
      type: ['object', 'null'],
      additionalProperties: { type: 'string' },
    }),
  }),
  videoUrl: NullableText,
  html: NullableText,
  fallbackPlaceholderUrl: Type.Union([Type.String(), Type.Null()], {
    description: 'An image to show if the banner cannot be loaded',
  }),
  headline: NullableText,
  subheadline: NullableText,
  description: NullableText,
  cta: Type.Object({
    label: NullableText,
    url: NullableText,
    openNewTab: Type.Boolean(),
  }),
  bgColor: NullableText,
  transitionDurationMs: NullableInteger,
  order: Type.Integer({ description: 'Position in the placement, from 0' }),
  isFallback: Type.Boolean(),
  ...LINKS,
})
export type ServedBanner = Static<typeof ServedBanner>

const SERVED_PLACEMENT = {
  decisionId: Uuid,
  placement: Type.Object({
    publicId: Uuid,
    slug: Slug,
    layoutType: Text,
    maxBanners: Type.Integer(),
    recommendedWidth: NullableInteger,
    recommendedHeight: NullableInteger,
    recommendedAspectRatio: NullableText,
  }),
  banners: Type.Array(ServedBanner),
  placeholderUrl: Type.Optional(
    Type.String({
      description:
        "Fills positions left empty, if any: the placement's placeholder, else that of a banner shown beside it",
    }),
  ),
}
export const ServedPlacement = Type.Object({ ...SERVED_PLACEMENT, servedAt: Instant })
export type ServedPlacement = Static<typeof ServedPlacement>

export const NothingServed = Type.Null({ description: 'No ad for this request' })

const PLACEMENTS_MAX = 20

export const ServePlacementsRequest = Type.Object({
  ...READER_FIELDS,
  slugs: Type.Array(Slug, { minItems: 1, maxItems: PLACEMENTS_MAX, uniqueItems: true }),
})
export const ServedPlacements = Type.Object({
  placements: Type.Array(ServedPlacement),
  notFound: Type.Array(Slug),
})
export type ServedPlacements = Static<typeof ServedPlacements>

export const SiteParams = Type.Object({ siteId: Uuid })

export const ServePageRequest = Type.Object({
  url: WebUrl,
  user: Type.Optional(
    Type.Object({
      id: Type.Optional(UserId),
      context: Type.Optional(Facts),
      contextToken: Type.Optional(ContextToken),
    }),
  ),
  consent: Type.Optional(Consent),
  slots: Type.Array(
    Type.Object({
      placement: Slug,
      floor: Type.Optional(Floor),
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
    }),
    { minItems: 1, maxItems: PLACEMENTS_MAX, examples: [[{ placement: 'home-top' }]] },
  ),
})
export const ServedPage = Type.Object({
  siteId: Uuid,
  slots: Type.Array(
    Type.Object({
      placement: Slug,
      decisionId: Uuid,
      layoutType: Type.Optional(Text),
      recommendedWidth: Type.Optional(NullableInteger),
      recommendedHeight: Type.Optional(NullableInteger),
      banners: Type.Array(ServedBanner),
      placeholderUrl: Type.Optional(Text),
    }),
  ),
  servedAt: Instant,
})
export type ServedPage = Static<typeof ServedPage>
