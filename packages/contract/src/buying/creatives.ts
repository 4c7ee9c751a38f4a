import { Type } from 'typebox'
import { patchOf } from '../patch.ts'
import { BANNER_FORMATS, MediaUrl } from '../selling/inventory.ts'
import { TemplateValues } from './templates.ts'
import {
  AdProductId,
  BY_NAME,
  bySeller,
  DELETED_AT,
  filterText,
  Instant,
  Name,
  nullable,
  oneOf,
  PAGE_QUERY,
  ROW_FIELDS,
  Search,
  strict,
  textOf,
  TimeZone,
  Uuid,
  LinkUrl,
  WebUrl,
} from '../shared.ts'

const search = Type.Optional(Search)
const includeDeleted = Type.Optional(Type.Boolean({ default: false }))

const Source = oneOf(['sponsored', 'affiliate', 'internal', 'system'])
const Format = oneOf(BANNER_FORMATS)
const ScheduleStatus = oneOf(['evergreen', 'scheduled', 'active', 'expired'])
const Pixels = Type.Integer({ minimum: 1, maximum: 20_000, examples: [300] })
const Flag = Type.Boolean({ examples: [false] })
const Tag = textOf(50, 'sale')
const Colour = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', examples: ['#ffaa00'] })
const TimeOfDay = Type.String({
  pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?$',
  description: 'Time of day in the schedule’s zone; a window may cross midnight',
  examples: ['08:00:00'],
})
const RecurrenceRule = Type.String({
  minLength: 1,
  maxLength: 200,
  format: 'plain-text',
  description: 'RFC 5545, limited to FREQ=DAILY or WEEKLY, INTERVAL, BYDAY and UNTIL',
  examples: ['FREQ=WEEKLY;BYDAY=MO,FR'],
})
const MediaVariants = Type.Record(Type.String({ pattern: '^[A-Za-z0-9._-]{1,50}$' }), MediaUrl, {
  additionalProperties: false,
  maxProperties: 50,
  description: 'Addresses by locale or size',
  examples: [{ 'de-DE': 'https://cdn.example/herbst.png' }],
})

const Kilobits = Type.Integer({ minimum: 1, maximum: 1_000_000, examples: [1_200] })
const DurationMs = Type.Integer({
  minimum: 500,
  maximum: 3_600_000,
  description:
    'Length of the video in milliseconds. Required for a video hosted elsewhere; read from the file of our own assets',
  examples: [15_000],
})

/** The same video in another size, for slower connections or smaller players. */
const Rendition = strict({
  url: MediaUrl,
  width: Type.Optional(nullable(Pixels)),
  height: Type.Optional(nullable(Pixels)),
  bitrateKbps: Type.Optional(nullable(Kilobits)),
})
const Renditions = Type.Array(Rendition, {
  maxItems: 10,
  description:
    'Other files of the same video; size and bitrate of our own assets are read from the file',
  examples: [
    [{ url: 'https://cdn.example/film-360.mp4', width: 640, height: 360, bitrateKbps: 800 }],
  ],
})

/** A third-party measurement script. The player gets its address; we never fetch it. */
const AdVerification = strict({
  vendor: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$',
    description: 'Vendor key of the script',
    examples: ['measure.example-omid'],
  }),
  scriptUrl: WebUrl,
  parameters: Type.Optional(nullable(textOf(2_000, '{"campaign":"autumn"}'))),
})
const AdVerifications = Type.Array(AdVerification, {
  maxItems: 5,
  description: 'Open Measurement scripts, passed on to players',
  examples: [[{ vendor: 'measure.example-omid', scriptUrl: 'https://measure.example/omid.js' }]],
})

const scheduleFields = {
  publishAt: Type.Optional(nullable(Instant)),
  expiresAt: Type.Optional(
    nullable(Type.String({ ...Instant, examples: ['2031-01-01T00:00:00Z'] })),
  ),
  scheduleTimezone: Type.Optional(TimeZone),
  recurrenceRule: Type.Optional(nullable(RecurrenceRule)),
  recurrenceWindowStart: Type.Optional(nullable(TimeOfDay)),
  recurrenceWindowEnd: Type.Optional(
    nullable(Type.String({ ...TimeOfDay, examples: ['20:00:00'] })),
  ),
}

const bannerFields = {
  title: Name,
  description: Type.Optional(nullable(textOf(5_000, 'Everything for the garden'))),
  source: Type.Optional(bySeller(Source)),
  format: Type.Optional(Format),
  isActive: Type.Optional(Type.Boolean({ examples: [true] })),
  primaryImageUrl: MediaUrl,
  primaryImageAlt: Type.Optional(nullable(textOf(255, 'A garden in autumn'))),
  mobileImageUrl: Type.Optional(nullable(MediaUrl)),
  videoUrl: Type.Optional(nullable(MediaUrl)),
  videoDurationMs: Type.Optional(nullable(DurationMs)),
  videoRenditions: Type.Optional(nullable(Renditions)),
  videoSkipAfterMs: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 0,
        maximum: 60_000,
        description: 'When the viewer may skip the video; empty: never',
        examples: [5_000],
      }),
    ),
  ),
  vastUrl: Type.Optional(
    nullable(
      Type.String({
        ...WebUrl,
        description:
          'The VAST address of somebody else’s ad server. Players fetch it; Placard never does',
        examples: ['https://ads.example/vast?id=1'],
      }),
    ),
  ),
  adVerifications: Type.Optional(nullable(AdVerifications)),
  html: Type.Optional(nullable(textOf(100_000, '<b>Autumn sale</b>'))),
  templateId: Type.Optional(nullable(Uuid)),
  templateValues: Type.Optional(nullable(TemplateValues)),
  mediaVariants: Type.Optional(nullable(MediaVariants)),
  width: Type.Optional(nullable(Pixels)),
  height: Type.Optional(nullable(Pixels)),
  headline: Type.Optional(nullable(textOf(255))),
  subheadline: Type.Optional(nullable(textOf(255, 'Up to half off'))),
  ctaLabel: Type.Optional(nullable(textOf(100, 'Shop now'))),
  ctaUrl: Type.Optional(nullable(LinkUrl)),
  ctaOpenNewTab: Type.Optional(Flag),
  utmSource: Type.Optional(nullable(textOf(100, 'placard'))),
  utmMedium: Type.Optional(nullable(textOf(100, 'banner'))),
  utmCampaign: Type.Optional(nullable(textOf(100, 'autumn'))),
  utmContent: Type.Optional(nullable(textOf(100, 'hero'))),
  brandId: Type.Optional(nullable(Uuid)),
  categoryId: Type.Optional(nullable(Uuid)),
  productId: Type.Optional(nullable(Uuid)),
  seoId: Type.Optional(nullable(Uuid)),
  adProductCategory: Type.Optional(nullable(AdProductId)),
  tags: Type.Optional(
    Type.Array(Tag, { maxItems: 50, uniqueItems: true, examples: [['sale', 'autumn']] }),
  ),
  bgColor: Type.Optional(nullable(Colour)),
  priority: Type.Optional(
    bySeller(Type.Integer({ minimum: 0, maximum: 1_000_000, examples: [0] })),
  ),
  ...scheduleFields,
  isEvergreenFallback: Type.Optional(bySeller(Flag)),
  fallbackPlaceholderUrl: Type.Optional(nullable(MediaUrl)),
}

export const CreateBanner = strict({ ...bannerFields, advertiserId: Uuid })
export const PatchBanner = patchOf(bannerFields)
export const ScheduleBanner = strict(scheduleFields)
export const BannerQuery = strict({
  ...PAGE_QUERY,
  search,
  includeDeleted,
  isActive: Type.Optional(Type.Boolean()),
  scheduleStatus: Type.Optional(ScheduleStatus),
  advertiserId: Type.Optional(Uuid),
  brandId: Type.Optional(Uuid),
  categoryId: Type.Optional(Uuid),
  format: Type.Optional(Format),
  tags: Type.Optional(Tag),
  sort: Type.Optional(
    oneOf(['-createdAt', 'createdAt', 'title', '-title', 'priority', '-priority']),
  ),
})

const textOrNull = nullable(Type.String())

/** One file of a video: facts read from its header, or given by the caller. */
export const VideoFile = Type.Object({
  url: Type.String(),
  contentType: Type.String({ examples: ['video/mp4'] }),
  width: nullable(Type.Integer()),
  height: nullable(Type.Integer()),
  durationMs: nullable(Type.Integer()),
  bitrateKbps: nullable(Type.Integer()),
  byteCount: nullable(Type.Integer()),
})

export const Banner = Type.Object({
  ...ROW_FIELDS,
  ...DELETED_AT,
  advertiserId: Uuid,
  advertiserName: textOrNull,
  title: Type.String(),
  description: textOrNull,
  source: Source,
  format: Format,
  isActive: Type.Boolean(),
  primaryImageUrl: Type.String(),
  primaryImageAlt: textOrNull,
  mobileImageUrl: textOrNull,
  videoUrl: textOrNull,
  videoDurationMs: nullable(Type.Integer()),
  videoRenditions: nullable(Type.Array(Type.Object(Rendition.properties))),
  videoSkipAfterMs: nullable(Type.Integer()),
  videoFiles: nullable(
    Type.Array(VideoFile, {
      description: 'Each file of the video, that of `videoUrl` first',
    }),
  ),
  vastUrl: textOrNull,
  adVerifications: nullable(Type.Array(Type.Object(AdVerification.properties))),
  html: textOrNull,
  templateId: nullable(Uuid),
  templateValues: nullable(Type.Record(Type.String(), Type.String())),
  mediaVariants: nullable(Type.Record(Type.String(), Type.String())),
  width: nullable(Type.Integer()),
  height: nullable(Type.Integer()),
  headline: textOrNull,
  subheadline: textOrNull,
  ctaLabel: textOrNull,
  ctaUrl: textOrNull,
  ctaOpenNewTab: Type.Boolean(),
  utmSource: textOrNull,
  utmMedium: textOrNull,
  utmCampaign: textOrNull,
  utmContent: textOrNull,
  brandId: nullable(Uuid),
  categoryId: nullable(Uuid),
  productId: nullable(Uuid),
  seoId: nullable(Uuid),
  adProductCategory: textOrNull,
  tags: Type.Array(Type.String()),
  bgColor: textOrNull,
  priority: Type.Integer(),
  publishAt: nullable(Instant),
  expiresAt: nullable(Instant),
  scheduleTimezone: Type.String(),
  recurrenceRule: textOrNull,
  recurrenceWindowStart: textOrNull,
  recurrenceWindowEnd: textOrNull,
  scheduleStatus: ScheduleStatus,
  isEvergreenFallback: Type.Boolean(),
  fallbackPlaceholderUrl: textOrNull,
  createdBy: nullable(Uuid),
})

const Day = Type.String({ format: 'date', examples: ['2030-01-01'] })
export const BannerParams = Type.Object({ bannerId: Uuid })
export const CalendarQuery = strict({
  from: Type.String({ ...Day, description: 'First day, in the schedule’s zone' }),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 62, default: 42 })),
})
export const BannerCalendar = Type.Object({
  timeZone: Type.String(),
  days: Type.Array(
    Type.Object({
      day: Day,
      openShare: Type.Number({
        description: 'Share of the day on which the banner may serve, 0 to 1',
      }),
    }),
  ),
})

const ExternalId = textOf(255, 'sku-1001')
const referenceFields = { name: Name, externalId: Type.Optional(nullable(ExternalId)) }

/** A brand, category, product or SEO record that banners can refer to. */
export const Reference = Type.Object({ ...ROW_FIELDS, name: Name, externalId: textOrNull })
export const CreateReference = strict(referenceFields)
export const PatchReference = patchOf(referenceFields)
export const ReferenceQuery = strict({
  ...PAGE_QUERY,
  search,
  externalId: Type.Optional(filterText(255, 'sku-1001')),
  sort: Type.Optional(BY_NAME),
})
export const ImportReferences = strict({
  items: Type.Array(strict({ externalId: ExternalId, name: Name }), {
    minItems: 1,
    maxItems: 5_000,
    examples: [[{ externalId: 'sku-1001', name: 'Garden chair' }]],
  }),
})
export const ReferencesImported = Type.Object({
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
})

const ApprovalStatus = oneOf(['pending', 'approved', 'rejected', 'flagged'])

export const SubmitApproval = strict({ bannerId: Uuid, siteId: Uuid })
export const RejectApproval = strict({ reason: textOf(1_000, 'The picture is too loud') })
export const ApprovalQuery = strict({
  ...PAGE_QUERY,
  siteId: Type.Optional(Uuid),
  bannerId: Type.Optional(Uuid),
  status: Type.Optional(ApprovalStatus),
  sort: Type.Optional(oneOf(['-createdAt', 'createdAt'])),
})
/** Includes what a publisher needs to decide. */
export const Approval = Type.Object({
  ...ROW_FIELDS,
  siteId: Uuid,
  siteDomain: textOrNull,
  bannerId: Uuid,
  bannerTitle: textOrNull,
  bannerFormat: textOrNull,
  bannerImageUrl: textOrNull,
  bannerVideoUrl: textOrNull,
  bannerHtml: textOrNull,
  bannerHeadline: textOrNull,
  bannerCtaUrl: textOrNull,
  bannerAdProductCategory: textOrNull,
  status: ApprovalStatus,
  reason: textOrNull,
  decidedBy: nullable(Uuid),
  decidedAt: nullable(Instant),
})

/** The type is sniffed from the bytes; the request's Content-Type is ignored. */
export const AssetFile = Type.Unsafe<unknown>({ description: 'The bytes of the file' })
export const SvgFile = Type.Unsafe<unknown>({
  description: 'The bytes of the file',
  examples: ['<svg xmlns="http://www.w3.org/2000/svg" width="300" height="250"/>'],
})
export const ASSET_TYPES = [
  'image/svg+xml',
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'video/mp4',
] as const
export const AssetUploadQuery = strict({
  accountId: Type.Optional(Uuid),
  fileName: Type.Optional(textOf(255, 'autumn.svg')),
})
export const AssetParams = Type.Object({ assetId: Uuid })
export const AssetQuery = strict({
  ...PAGE_QUERY,
  includeDeleted,
  accountId: Type.Optional(Uuid),
  contentType: Type.Optional(oneOf(ASSET_TYPES)),
  sort: Type.Optional(oneOf(['-createdAt', 'createdAt'])),
})
export const Asset = Type.Object({
  ...ROW_FIELDS,
  ...DELETED_AT,
  accountId: Uuid,
  fileName: Type.String(),
  filePath: Type.String({
    description: 'Public path of the file; a banner may use it as its address',
  }),
  contentType: oneOf(ASSET_TYPES),
  byteCount: Type.Integer(),
  width: nullable(Type.Integer()),
  height: nullable(Type.Integer()),
  durationMs: nullable(Type.Integer({ examples: [15_000] }), 'Length of a video in milliseconds'),
  bitrateKbps: nullable(
    Type.Integer({ examples: [1_200] }),
    'Bitrate of a video in kilobits per second',
  ),
})
