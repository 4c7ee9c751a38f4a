import { Type } from 'typebox'
import { patchOf } from '../patch.ts'
import { AuditRecord } from '../accounts/accounts.ts'
import { Delivery, DELIVERY_STATES } from '../delivery/delivery.ts'
import {
  AdProductId,
  Amount,
  BY_NAME,
  bySeller,
  ContentCategoryId,
  Currency,
  DELETED_AT,
  Instant,
  instantLike,
  MicrosText,
  Name,
  nullable,
  oneOf,
  PAGE_QUERY,
  pageOf,
  positiveAmount,
  ROW_FIELDS,
  Search,
  strict,
  textOf,
  TimeZone,
  Uuid,
  WebUrl,
} from '../shared.ts'

const search = Type.Optional(Search)
const includeDeleted = Type.Optional(Type.Boolean({ default: false }))
const DELETABLE_QUERY = { ...PAGE_QUERY, search, includeDeleted }

const Budget = positiveAmount(
  'Money in millionths of the currency, above zero: "50000000" is 50',
  '50000000',
)
export const Bid = positiveAmount(
  'Money in millionths of the currency, per thousand impressions (cpm) or per click (cpc)',
  '1250000',
)
const MaxBid = {
  ...Amount,
  description: 'Highest bid allowed for an ad, in millionths of the currency; "0": no limit yet',
  examples: ['5000000'],
}
const said = (schema: typeof MicrosText, description: string) =>
  Type.Unsafe<string>({ ...schema, description })
const TargetCpa = positiveAmount(
  'What a purchase may cost on average, in millionths of the currency. Once the learned policy `tcpa` has passed its gate, each bid is this × the predicted conversion rate, at most the maximum bid. Only for campaigns that pay per click',
  '12000000',
)
const ExternalId = textOf(128, 'ext-2041')
const COUNT_MAX = 2_147_483_647
const Cap = Type.Integer({ minimum: 1, maximum: COUNT_MAX, examples: [100_000] })
const Priority = Type.Integer({ minimum: 0, maximum: 1_000_000, examples: [10] })

const advertiserFields = {
  name: Name,
  contact: Type.Optional(nullable(textOf(255, 'ads@northwind.example'))),
  domain: Type.Optional(
    bySeller(
      nullable(
        textOf(253, 'northwind.example'),
        'Under which domain exchanges know the advertiser; null: the host of each landing page',
      ),
    ),
  ),
  timeZone: Type.Optional(TimeZone),
  budgetDailyMicros: Type.Optional(nullable(Budget)),
  conversionValueMaxMicros: Type.Optional(
    nullable(
      Type.Unsafe<string>({
        ...Budget,
        description:
          'A conversion that is worth more is quarantined and told; null: 10,000 units of a currency with cents',
      }),
    ),
  ),
}

export const CreateAdvertiser = strict({
  ...advertiserFields,
  accountId: Uuid,
  currency: Currency,
  isHouse: Type.Optional(
    bySeller(
      Type.Boolean({
        description: 'The seller’s own ads: they may be free, and fill slots that no campaign wins',
        examples: [false],
      }),
    ),
  ),
  housePublisherId: Type.Optional(
    bySeller(nullable(Uuid, 'Publisher whose house ads these are; null for the platform’s')),
  ),
})
export const PatchAdvertiser = patchOf(advertiserFields)
export const AdvertiserQuery = strict({
  ...DELETABLE_QUERY,
  accountId: Type.Optional(Uuid),
  sort: Type.Optional(BY_NAME),
})
export const Advertiser = Type.Object({
  ...ROW_FIELDS,
  ...DELETED_AT,
  accountId: Uuid,
  name: Type.String(),
  contact: nullable(Type.String()),
  domain: nullable(Type.String()),
  currency: Currency,
  timeZone: Type.String(),
  budgetDailyMicros: nullable(MicrosText),
  spentTodayMicros: said(MicrosText, 'Charged today, a day in `timeZone`, in `currency`'),
  conversionValueMaxMicros: nullable(MicrosText),
  isHouse: Type.Boolean(),
  housePublisherId: nullable(Uuid),
})

/** The advertiser's ads do not run on this site. */
export const SiteBlock = Type.Object({
  siteId: Uuid,
  siteName: Type.String(),
  siteDomain: Type.String(),
  createdAt: Instant,
})
export const SiteBlockQuery = strict(PAGE_QUERY)
export const SiteBlockParams = Type.Object({ advertiserId: Uuid, siteId: Uuid })

const sellpageFields = { name: Name, url: WebUrl }
export const CreateSellpage = strict({ ...sellpageFields, advertiserId: Uuid })
export const PatchSellpage = patchOf(sellpageFields)
export const SellpageQuery = strict({
  ...DELETABLE_QUERY,
  advertiserId: Type.Optional(Uuid),
  sort: Type.Optional(BY_NAME),
})
export const Sellpage = Type.Object({
  ...ROW_FIELDS,
  ...DELETED_AT,
  advertiserId: Uuid,
  name: Type.String(),
  url: Type.String(),
})

const Source = oneOf(['sponsored', 'affiliate', 'internal', 'system'])
const CampaignStatus = oneOf(['draft', 'scheduled', 'active', 'paused', 'ended', 'cancelled'])
const Channel = oneOf(['onsite', 'meta'])
const Objective = oneOf(['awareness', 'traffic', 'engagement', 'conversions', 'sales'])
const Pricing = Type.Enum(['cpm', 'cpc'], { examples: ['cpc'] })
const PacingStrategy = oneOf(['Smooth', 'Accelerated'])

export const EXCLUSION_LABELS_MAX = 10
export const ExclusionLabels = Type.Array(textOf(64, 'cars'), {
  maxItems: EXCLUSION_LABELS_MAX,
  uniqueItems: true,
  description: 'A page shows no two ads of campaigns that share a label: competitors stay apart',
  examples: [['cars']],
})

const campaignFields = {
  name: Name,
  description: Type.Optional(nullable(textOf(5_000))),
  source: Type.Optional(bySeller(Source)),
  objective: Type.Optional(Objective),
  pricing: Type.Optional(bySeller(Pricing, { when: 'booked' })),
  maxBidMicros: Type.Optional(bySeller(MaxBid, { when: 'booked' })),
  mayExceedMaxBid: Type.Optional(Type.Boolean({ examples: [false] })),
  targetCpaMicros: Type.Optional(nullable(TargetCpa)),
  pacingStrategy: Type.Optional(PacingStrategy),
  categories: Type.Optional(
    Type.Array(ContentCategoryId, {
      maxItems: 50,
      uniqueItems: true,
      description: 'Show only on pages with one of these categories; empty: on all pages',
    }),
  ),
  runsOnUnknownPages: Type.Optional(
    Type.Boolean({
      description: 'If categories are set: show also on pages not yet classified',
      examples: [false],
    }),
  ),
  adProductCategory: Type.Optional(nullable(AdProductId)),
  exclusionLabels: Type.Optional(bySeller(ExclusionLabels)),
  sellpageId: Type.Optional(nullable(Uuid)),
  connectionId: Type.Optional(nullable(Uuid)),
  externalId: Type.Optional(nullable(ExternalId)),
  startsAt: Type.Optional(nullable(Instant)),
  endsAt: Type.Optional(nullable(instantLike('2030-02-01T00:00:00Z'))),
  budgetTotalMicros: Type.Optional(nullable(Budget)),
  budgetDailyMicros: Type.Optional(nullable(Budget)),
  impressionCap: Type.Optional(nullable(Cap)),
  clickCap: Type.Optional(nullable(Cap)),
  contractRef: Type.Optional(nullable(textOf(255, 'IO-2030-117'))),
  placementWishes: Type.Optional(
    bySeller(
      nullable(
        textOf(2_000, 'The top of the home page, in May'),
        'Placements that the buyer asks for beyond those offered. Ad operations book them and accept',
      ),
    ),
  ),
  priority: Type.Optional(bySeller(Priority)),
}

export const CreateCampaign = strict({
  ...campaignFields,
  advertiserId: Uuid,
  channel: Type.Optional(Channel),
})
export const PatchCampaign = patchOf(campaignFields)
export const CampaignQuery = strict({
  ...DELETABLE_QUERY,
  status: Type.Optional(CampaignStatus),
  channel: Type.Optional(Channel),
  advertiserId: Type.Optional(Uuid),
  objective: Type.Optional(Objective),
  pricing: Type.Optional(Pricing),
  source: Type.Optional(Source),
  externalId: Type.Optional(ExternalId),
  delivery: Type.Optional(oneOf(DELIVERY_STATES)),
  sort: Type.Optional(
    oneOf([
      '-createdAt',
      'createdAt',
      'name',
      '-name',
      'priority',
      '-priority',
      'updatedAt',
      '-updatedAt',
      'status',
      '-status',
      'advertiserName',
      '-advertiserName',
      'startsAt',
      '-startsAt',
      'endsAt',
      '-endsAt',
      'budgetDailyMicros',
      '-budgetDailyMicros',
      'budgetTotalMicros',
      '-budgetTotalMicros',
      'spentTodayMicros',
      '-spentTodayMicros',
      'spentWeekMicros',
      '-spentWeekMicros',
      'pace',
      '-pace',
    ]),
  ),
})
export const Campaign = Type.Object({
  ...ROW_FIELDS,
  ...DELETED_AT,
  advertiserId: Uuid,
  advertiserName: Type.String(),
  advertiserContact: nullable(Type.String()),
  currency: Currency,
  sellpageId: nullable(Uuid),
  connectionId: nullable(Uuid),
  name: Type.String(),
  description: nullable(Type.String()),
  source: Source,
  status: CampaignStatus,
  channel: Channel,
  objective: Objective,
  pricing: Pricing,
  maxBidMicros: MicrosText,
  mayExceedMaxBid: Type.Boolean(),
  targetCpaMicros: nullable(MicrosText),
  pacingStrategy: PacingStrategy,
  categories: Type.Array(Type.String()),
  runsOnUnknownPages: Type.Boolean(),
  adProductCategory: nullable(Type.String()),
  exclusionLabels: Type.Array(Type.String()),
  externalId: nullable(Type.String()),
  startsAt: nullable(Instant),
  endsAt: nullable(Instant),
  budgetTotalMicros: nullable(MicrosText),
  budgetDailyMicros: nullable(MicrosText),
  impressionCap: nullable(Type.Integer()),
  clickCap: nullable(Type.Integer()),
  contractRef: nullable(Type.String()),
  placementWishes: nullable(Type.String()),
  priority: Type.Integer(),
  spentTodayMicros: said(MicrosText, 'Charged today, a day of the advertiser’s time zone'),
  spentWeekMicros: said(MicrosText, 'Charged from six days ago, in UTC, to today'),
  plannedTodayMicros: nullable(
    MicrosText,
    'Where an even day would be now; null without a daily budget',
  ),
  delivery: Delivery,
})

export const CAMPAIGNS_PER_IMPORT_MAX = 1_000
/** Without the seller's fields: a buyer's import cannot set them. */
const Imported = Type.Object(CreateCampaign.properties, {
  additionalProperties: false,
  examples: [{ advertiserId: '01890000-0000-7000-8000-000000000001', name: 'Autumn sale' }],
})
export const ImportCampaigns = strict({
  campaigns: Type.Array(Imported, { minItems: 1, maxItems: CAMPAIGNS_PER_IMPORT_MAX }),
})
export const ImportedCampaigns = Type.Object({
  ids: Type.Array(Uuid, { description: 'The new campaigns, in the order of the request' }),
})

const DeliveryStatus = oneOf(['active', 'paused', 'ended'])

const adSetFields = {
  name: Name,
  status: Type.Optional(DeliveryStatus),
  externalId: Type.Optional(nullable(ExternalId)),
}
export const CreateAdSet = strict({ ...adSetFields, campaignId: Uuid })
export const PatchAdSet = patchOf(adSetFields)
export const AdSetQuery = strict({
  ...PAGE_QUERY,
  includeDeleted,
  campaignId: Type.Optional(Uuid),
  status: Type.Optional(DeliveryStatus),
  externalId: Type.Optional(ExternalId),
  sort: Type.Optional(oneOf(['-createdAt', 'createdAt'])),
})
export const AdSet = Type.Object({
  ...ROW_FIELDS,
  ...DELETED_AT,
  campaignId: Uuid,
  name: Type.String(),
  status: DeliveryStatus,
  externalId: nullable(Type.String()),
})

const adFields = { ...adSetFields, bidMicros: Bid }
export const CreateAd = strict({ ...adFields, adSetId: Uuid, bannerId: Uuid })
export const PatchAd = patchOf(adFields)
export const AdQuery = strict({
  ...AdSetQuery.properties,
  adSetId: Type.Optional(Uuid),
  bannerId: Type.Optional(Uuid),
})
export const Ad = Type.Object({
  ...AdSet.properties,
  adSetId: Uuid,
  bannerId: Uuid,
  bidMicros: MicrosText,
})

export const HistoryQuery = strict(PAGE_QUERY)
export const History = pageOf(AuditRecord)
