import { Type } from 'typebox'
import { AddTargetingRule } from './targeting.ts'
import { Bid, CreateCampaign } from './campaigns.ts'
import { ImpressionsMax, Window } from './frequency.ts'
import {
  Currency,
  Instant,
  MicrosText,
  Name,
  nullable,
  oneOf,
  PAGE_QUERY,
  Search,
  strict,
  textOf,
  Uuid,
} from '../shared.ts'

const RULES_MAX = 50
const CAPS_MAX = 5
export const BOOKED_ADS_MAX = 50
export const BOOKED_PLACEMENTS_MAX = 50

const BookedCap = strict({ maxImpressionsPerUser: ImpressionsMax, window: Type.Optional(Window) })
const BookedAd = strict({
  bannerId: Uuid,
  name: Type.Optional(Name),
  bidMicros: Type.Optional(Bid),
  adSet: Type.Optional(Name),
})
const BookedPlacement = strict({
  placementId: Uuid,
  bannerIds: Type.Optional(
    Type.Array(Uuid, {
      maxItems: BOOKED_ADS_MAX,
      uniqueItems: true,
      description: 'Banners booked there directly, for a placement that takes booked banners',
    }),
  ),
})

const parts = {
  targetingRules: Type.Optional(Type.Array(AddTargetingRule, { maxItems: RULES_MAX })),
  frequencyCaps: Type.Optional(Type.Array(BookedCap, { maxItems: CAPS_MAX })),
  ads: Type.Optional(
    Type.Array(BookedAd, {
      maxItems: BOOKED_ADS_MAX,
      description: 'Each bids its own, or the maximum bid of the campaign',
    }),
  ),
  placements: Type.Optional(
    Type.Array(BookedPlacement, { maxItems: BOOKED_PLACEMENTS_MAX, examples: [[]] }),
  ),
}

const EXAMPLE = {
  advertiserId: '01890000-0000-7000-8000-000000000001',
  name: 'Autumn sale',
  maxBidMicros: '2000000',
}

/** A campaign with all its parts: booked as one, or not at all. */
export const BookCampaign = strict({
  ...parts,
  campaign: Type.Object(CreateCampaign.properties, {
    additionalProperties: false,
    examples: [EXAMPLE],
  }),
  starts: Type.Optional(
    Type.Boolean({
      description: 'Start it, or schedule it if it starts in the future; otherwise it is a draft',
      examples: [false],
    }),
  ),
  draftId: Type.Optional(
    nullable(Uuid, 'The draft it was typed in: it goes with the booking, so nobody books it twice'),
  ),
})

/** A campaign that somebody is about to book. Fields may still be missing. */
export const CheckCampaign = strict({
  ...parts,
  campaign: Type.Partial(CreateCampaign, { additionalProperties: false, examples: [EXAMPLE] }),
})

const Path = Type.String({
  description: 'The field: `campaign/endsAt`, `ads/0`, `placements/2`',
  examples: ['placements/2'],
})

/** One thing to know before booking. */
export const BookingFault = Type.Object({
  path: Path,
  code: Type.String({ description: 'Stable: a problem’s code, or a reason of a decision' }),
  message: Type.String(),
  severity: Type.Enum(['refused', 'stuck', 'waits', 'advice'], {
    description:
      '`refused`: cannot be booked. `stuck`: can be booked, but will not be shown until it is mended. `waits`: for somebody else. `advice`: runs as it is',
  }),
  mend: nullable(
    Type.Object({
      path: Path,
      value: nullable(Type.String(), 'The value that mends it; null: take the entry away'),
    }),
    'A change that mends it; null: there is no single one',
  ),
})

/** One banner on one placement. */
export const BookingPair = Type.Object({
  bannerId: Uuid,
  bannerTitle: Type.String(),
  placementId: Uuid,
  placementLabel: Type.String(),
  state: Type.Enum(['fits', 'waits', 'never']),
  reasons: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
})

export const CampaignCheck = Type.Object({
  faults: Type.Array(BookingFault),
  pairs: Type.Array(BookingPair, {
    description: 'Every banner on every placement, judged by the gates that decide ad requests',
  }),
})

/** What a form holds while a user books: as typed, also what is not valid yet. */
const typed = (maxLength: number) =>
  Type.Optional(Type.String({ maxLength, format: 'plain-text', examples: ['12.50'] }))
const chosen = (maxItems: number) =>
  Type.Optional(Type.Array(Uuid, { maxItems, uniqueItems: true }))

const TypedRule = strict({
  id: Type.Integer({ minimum: 0, maximum: 1_000_000, examples: [1] }),
  ruleType: textOf(32, 'country'),
  operator: textOf(32, 'in'),
  words: Type.String({ maxLength: 60_000, format: 'plain-text', examples: ['DE, AT'] }),
  from: Type.Integer({ minimum: 0, maximum: 23, examples: [17] }),
  to: Type.Integer({ minimum: 0, maximum: 23, examples: [22] }),
})

export const DraftForm = Type.Object(
  {
    step: typed(32),
    advertiserId: Type.Optional(nullable(Uuid)),
    name: typed(255),
    objective: typed(32),
    pricing: typed(32),
    pacing: typed(32),
    budgetDaily: typed(64),
    budgetTotal: typed(64),
    impressionGoal: typed(64),
    clickGoal: typed(64),
    bid: typed(64),
    targetCpa: typed(64),
    startsAt: typed(64),
    endsAt: typed(64),
    capTimes: typed(64),
    capWindow: typed(32),
    placementWishes: typed(2_000),
    rules: Type.Optional(Type.Array(TypedRule, { maxItems: RULES_MAX })),
    bannerIds: chosen(BOOKED_ADS_MAX),
    placementIds: chosen(BOOKED_PLACEMENTS_MAX),
  },
  {
    additionalProperties: false,
    description: 'The form as it was typed; nothing in it is judged. `checkCampaign` does that',
    examples: [{ name: 'Autumn sale', budgetDaily: '12.50' }],
  },
)
export const SaveDraft = strict({ form: DraftForm })
export const DraftParams = Type.Object({ campaignDraftId: Uuid })
export const DraftQuery = strict({
  ...PAGE_QUERY,
  own: Type.Optional(
    Type.Boolean({ description: 'Only those of your own account; the platform sees all' }),
  ),
})

/** A booking that is not finished. All users of its account see it. */
export const CampaignDraft = Type.Object({
  id: Uuid,
  version: Type.Integer(),
  createdAt: Instant,
  updatedAt: Instant,
  savedBy: Type.String({ description: 'Name of the user or API key who saved it last' }),
  form: DraftForm,
})

export const BookablePlacementQuery = strict({
  ...PAGE_QUERY,
  search: Type.Optional(Search),
  currency: Type.Optional(Currency),
  only: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f-]{36}(,[0-9a-f-]{36}){0,49}$',
      description: 'Only these placements: ids separated by commas',
      examples: ['01890000-0000-7000-8000-000000000001'],
    }),
  ),
})

export const BookablePlacementParams = Type.Object({ placementId: Uuid })

/** A placement with what a buyer wants to know before booking it. */
export const BookablePlacement = Type.Object({
  id: Uuid,
  slug: Type.String(),
  label: Type.String(),
  siteName: nullable(Type.String()),
  siteDomain: nullable(Type.String()),
  approvesCreatives: Type.Boolean({ description: 'The site approves each banner first' }),
  width: nullable(Type.Integer()),
  height: nullable(Type.Integer()),
  formats: Type.Array(Type.String()),
  mode: oneOf(['direct', 'auction', 'hybrid']),
  currency: Currency,
  floorMicros: MicrosText,
  isOffered: Type.Boolean({ description: 'Every advertiser may book it' }),
  impressionsPerDay: Type.Integer({ description: 'Average of the last 28 days' }),
  clicksPerDay: Type.Number({ description: 'Average of the last 28 days' }),
  cpmMicros: nullable(
    MicrosText,
    'Average price of 1,000 impressions in the last 28 days. Buyers see it where at least three advertisers paid',
  ),
})

/** A new draft campaign like another one. */
export const CopyCampaign = strict({
  name: Name,
  withAds: Type.Optional(
    Type.Boolean({ description: 'Also its ad sets and ads; default true', examples: [true] }),
  ),
})
