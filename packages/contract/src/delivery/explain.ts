import { Type, type Static } from 'typebox'
import { ReaderStatement, UserId } from './readers.ts'
import { Currency, Instant, MicrosText, nullable, strict, textOf, Uuid } from '../shared.ts'

const Slug = textOf(100, 'home-top')

/** An ad request as the serving routes take it, and the ad in question. */
export const ExplainRequest = Type.Object(
  {
    placement: Type.Optional(
      Type.Unsafe<string>({ ...Slug, description: 'Slug of the placement to fill' }),
    ),
    placementType: Type.Optional(textOf(50, 'feed')),
    publisher: Type.Optional({
      ...Uuid,
      description: 'Whose placements of the type. Default: the default publisher',
    }),
    pageUrl: Type.Optional(
      Type.String({
        format: 'web-url',
        maxLength: 2_048,
        description: 'The page of the placement: its categories and shortlist count',
        examples: ['https://gazette.example/recipes/soup'],
      }),
    ),
    floor: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Per thousand', examples: [0.5] }),
    ),
    userId: Type.Optional(UserId),
    userContext: Type.Optional(strict(ReaderStatement)),
    adId: Type.Optional({ ...Uuid, description: 'Explain what this ad would need to win' }),
    at: Type.Optional({ ...Instant, description: 'Default: now' }),
  },
  { additionalProperties: false, examples: [{ placementType: 'feed' }] },
)
export type ExplainRequest = Static<typeof ExplainRequest>

export const DecisionParams = Type.Object({ decisionId: Uuid })

const Named = Type.Object({ id: nullable(Uuid), name: Type.String() })
const Score = Type.Number({ description: 'In the currency, per impression' })
const Text = Type.String()

const Offer = {
  kind: Type.String({ description: '`ad`, `assignment` or `banner`' }),
  ad: nullable(Named),
  campaign: nullable(Named),
  banner: nullable(Named),
}

const Priced = Type.Object({
  ...Offer,
  source: Type.String({ description: '`auction`, `booking`, `fallback` or `evergreen`' }),
  pricing: Type.String(),
  effectiveBidMicros: MicrosText,
  ctr: Type.Number(),
  quality: Type.Number(),
  score: Score,
  secondScore: nullable(Score),
  finalPrice: Type.Number(),
  finalPriceMicros: MicrosText,
  charge: Type.Number({ description: 'Per thousand impressions or per click' }),
  chargeMicros: MicrosText,
  calculation: Type.Array(Text, {
    description: 'Each amount with the numbers it was computed from',
  }),
})

const Measure = Type.Object({ actual: Type.Number(), needed: Type.Number(), unit: Text })

const Candidate = Type.Object({
  ...Offer,
  placement: nullable(
    Type.String({ description: 'By type: slug of the placement for which it came furthest' }),
  ),
  reason: Type.String({ description: '`won`, or the gate that stopped it' }),
  score: nullable(Score),
  effectiveBidMicros: MicrosText,
  quality: Type.Number(),
  measure: nullable(Measure),
  text: Text,
})

const Requirements = Type.Object({
  ad: Named,
  placement: nullable(Type.String({ description: 'Slug of the placement it is about' })),
  isKnown: Type.Boolean(),
  hasWon: Type.Boolean(),
  obstacles: Type.Array(Type.Object({ reason: Text, text: Text })),
  score: Score,
  scoreToBeat: nullable({
    ...Score,
    description: 'For the last place it can get, per impression; null: the floor is enough',
  }),
  effectiveBidMicros: MicrosText,
  effectiveBidMicrosNeeded: MicrosText,
  text: Text,
})

const EXPLAINED = {
  decidedAt: Instant,
  placementType: Text,
  placement: nullable(Type.String({ description: 'Slug of the placement; by type, the winner’s' })),
  currency: nullable(Currency, 'Of all amounts; null where nobody sells'),
  context: Type.Record(Type.String(), Type.Unknown()),
  isUserKnown: Type.Boolean(),
  floorMicros: MicrosText,
  indexVersion: Type.Integer(),
  emptyReason: nullable(Text),
  winners: Type.Array(Priced),
  gates: Type.Array(Type.Object({ gate: Text, text: Text }), {
    description: 'In the order a decision checks them',
  }),
  counts: Type.Array(
    Type.Object({
      reason: Text,
      gate: nullable(
        Type.String({
          description: 'The gate that stopped them; null for those still in the running',
        }),
      ),
      count: Type.Integer(),
      text: Text,
    }),
  ),
  candidates: Type.Array(Candidate, { description: 'Best scores first' }),
  omittedCandidates: Type.Integer(),
  requirements: nullable(Requirements, 'What the ad in question would need to be shown'),
  wish: Type.Unsafe<Static<typeof Requirements> | null>({
    ...nullable(Requirements),
    description: 'The same as `requirements`. Deprecated, to be removed in two releases',
    deprecated: true,
  }),
  text: Type.Array(Text),
}

export const Explained = Type.Object(EXPLAINED)
export type Explained = Static<typeof Explained>

const Difference = Type.Object({
  about: Type.String({ description: '`winner`, `price`, `charge`, `score` or `floor`' }),
  recorded: nullable(Text),
  today: nullable(Text),
  text: Text,
})

export const ExplainedRecord = Type.Object({
  decisionId: Uuid,
  kind: Text,
  recorded: Type.Object({
    decidedAt: Instant,
    placementType: Text,
    placement: nullable(Text),
    context: Type.Record(Type.String(), Type.Unknown()),
    isUserKnown: Type.Boolean(),
    currency: Text,
    floorMicros: MicrosText,
    indexVersion: Type.Integer(),
    seed: Text,
    emptyReason: nullable(Text),
    bidCount: Type.Integer(),
    durationMicros: Type.Integer(),
    winners: Type.Array(Priced),
    bids: Type.Array(Type.Object({ ad: nullable(Named), campaign: nullable(Named), score: Score })),
  }),
  today: Explained,
  differences: Type.Array(Difference),
  text: Type.Array(Text),
})
export type ExplainedRecord = Static<typeof ExplainedRecord>

export const OwnWhyParams = Type.Object({ campaignId: Uuid })
export const OwnWhyRequest = Type.Object(
  {
    placement: Type.Unsafe<string>({
      ...Slug,
      description: 'Slug of a placement that the campaign is booked on',
    }),
    adId: Type.Optional({ ...Uuid, description: 'Say what this ad of the campaign needs' }),
    userContext: Type.Optional(strict(ReaderStatement)),
    at: Type.Optional({ ...Instant, description: 'Default: now' }),
  },
  { additionalProperties: false, examples: [{ placement: 'home-top' }] },
)
export type OwnWhyRequest = Static<typeof OwnWhyRequest>

export const OwnWhy = Type.Object({
  decidedAt: Instant,
  placement: Text,
  currency: nullable(Currency),
  ads: Type.Array(
    Type.Object({
      kind: Offer.kind,
      ad: Offer.ad,
      banner: Offer.banner,
      isShown: Type.Boolean(),
      reason: Type.String({ description: '`won`, or the gate that stopped it' }),
      text: Text,
    }),
    { description: 'Its ads and booked banners on this placement' },
  ),
  needs: nullable(
    Type.Object({
      ad: Named,
      isShown: Type.Boolean(),
      obstacles: Type.Array(Type.Object({ reason: Text, text: Text })),
      isOutbid: Type.Boolean({ description: 'Others bid more for this reader' }),
      bidMicros: MicrosText,
      floorBidMicros: nullable(MicrosText, 'The bid that the floor asks, if its own is lower'),
      text: Text,
    }),
    'What the ad of `adId` needs to be shown; null without one',
  ),
})
export type OwnWhy = Static<typeof OwnWhy>
