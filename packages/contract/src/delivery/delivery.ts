import { Type, type Static } from 'typebox'
import { Currency, Instant, MicrosText, nullable, oneOf, Uuid } from '../shared.ts'

export const DELIVERY_STATES = ['delivering', 'limited', 'not-delivering'] as const

/** Why something does not deliver, or less than it could. */
export const DELIVERY_CODES = [
  'draft',
  'scheduled',
  'paused',
  'ended',
  'cancelled',
  'other-channel',
  'not-checked',
  'serving-off',
  'no-ads',
  'no-placement',
  'ad-not-active',
  'banner-not-active',
  'impression-cap-reached',
  'click-cap-reached',
  'before-flight',
  'after-flight',
  'banner-expired',
  'before-publish',
  'off-recurrence',
  'outside-window',
  'not-linked',
  'placement-off',
  'site-off',
  'domain-unproven',
  'other-mode',
  'size',
  'format',
  'currency',
  'advertiser-blocked',
  'ad-product-blocked',
  'not-approved',
  'budget-total',
  'budget-day',
  'budget-advertiser',
  'pacing',
  'no-requests',
  'targeting',
  'frequency',
  'below-floor',
  'outbid',
  'slots-full',
  'no-campaign',
  'unfilled',
] as const
export type DeliveryCode = (typeof DELIVERY_CODES)[number]

/** What mends it. The console has a button for each. */
export const DELIVERY_ACTIONS = [
  'start-campaign',
  'edit-dates',
  'raise-goal',
  'raise-budget',
  'raise-advertiser-budget',
  'edit-targeting',
  'edit-caps',
  'raise-bid',
  'add-ad',
  'start-ad',
  'book-placement',
  'open-banner',
  'approve',
  'open-placement',
  'open-site',
  'check-tag',
  'turn-on-serving',
] as const

const Action = Type.Object({
  kind: oneOf(DELIVERY_ACTIONS),
  campaignId: nullable(Uuid),
  adId: nullable(Uuid),
  bannerId: nullable(Uuid),
  placementId: nullable(Uuid),
  siteId: nullable(Uuid),
  bidMicros: nullable(MicrosText, 'For `raise-bid`: what would be enough'),
})

export const Delivery = Type.Object(
  {
    state: oneOf(DELIVERY_STATES),
    code: nullable(oneOf(DELIVERY_CODES), 'The reason; null: nothing holds it back'),
    text: Type.String({
      description: 'State and reason in one line',
      examples: ['Not delivering: waits for approval on shop.example'],
    }),
    checkedAt: nullable(Instant, 'How old this is; null: it is what the status says'),
  },
  { description: 'Whether it delivers, and why not' },
)
export type Delivery = Static<typeof Delivery>

const Mended = {
  ...Delivery.properties,
  action: nullable(Action, 'What mends it; null: there is nothing to do'),
}

const Share = Type.Number({ minimum: 0, maximum: 1, examples: [0.35] })

const Past = Type.Object(
  {
    requests: Type.Integer({ description: 'How many requests were looked at' }),
    admitted: { ...Share, description: 'Share whose reader it is meant for' },
    won: { ...Share, description: 'Share that it won or would have won' },
    rules: Type.Array(
      Type.Object({
        rule: Type.String({ description: 'A type of targeting rule, or a frequency cap' }),
        passes: { ...Share, description: 'Share of the requests that pass this rule' },
        text: Type.String(),
      }),
    ),
    bidMicrosNeeded: nullable(
      MicrosText,
      'The bid that would have won half of the requests it lost; only for who sees all bids',
    ),
  },
  { description: 'The ads of today on requests of the last 24 hours, evenly picked' },
)

const OwnPlacement = Type.Object({
  ...Mended,
  placementId: Uuid,
  slug: Type.String(),
  siteDomain: nullable(Type.String()),
})
const OwnAd = Type.Object({ ...Mended, adId: Uuid })

const Question = Type.Object(
  {
    placement: Type.String({ description: 'Slug' }),
    adId: nullable(Uuid),
    userContext: Type.Record(Type.String(), Type.Unknown()),
  },
  { description: 'A request to begin with: its own placement, and a reader who fits' },
)

export const CampaignDeliveryParams = Type.Object({ campaignId: Uuid })
export const CampaignDelivery = Type.Object({
  ...Mended,
  campaignId: Uuid,
  currency: nullable(Currency),
  past: Past,
  ads: Type.Array(OwnAd, { description: 'At most 200' }),
  placements: Type.Array(OwnPlacement, { description: 'At most 200' }),
  question: nullable(Question),
})
export type CampaignDelivery = Static<typeof CampaignDelivery>

export const PlacementDeliveryParams = Type.Object({ placementId: Uuid })
export const PlacementDelivery = Type.Object({
  ...Mended,
  placementId: Uuid,
  slug: Type.String(),
  requests: Type.Integer({ description: 'Requests of the last 24 hours that were looked at' }),
  filled: { ...Share, description: 'Share of them that got an ad' },
  campaigns: Type.Array(
    Type.Object({
      code: nullable(oneOf(DELIVERY_CODES)),
      text: Type.String(),
      campaigns: Type.Integer(),
    }),
    { description: 'The campaigns booked here by what holds them back, most first' },
  ),
})
export type PlacementDelivery = Static<typeof PlacementDelivery>
