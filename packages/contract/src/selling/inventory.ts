import { Type } from 'typebox'
import { patchOf } from '../patch.ts'
import {
  AdProductId,
  Amount,
  BY_NAME,
  bySeller,
  Currency,
  DELETED_AT,
  filterText,
  Instant,
  MicrosText,
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
  WebUrl,
} from '../shared.ts'

const LIST_QUERY = {
  ...PAGE_QUERY,
  search: Type.Optional(Search),
  includeDeleted: Type.Optional(Type.Boolean({ default: false })),
}
const Pixels = Type.Integer({ minimum: 1, maximum: 20_000, examples: [300] })

/** The address of an image or video: anywhere on the web, or one of our assets by its `filePath`. */
export const MediaUrl = Type.Union(
  [WebUrl, Type.String({ pattern: '^/api/v1/assets/[0-9a-f-]{36}/file$' })],
  { examples: ['https://cdn.example/autumn.png'] },
)

export const BANNER_FORMATS = ['single_image', 'video', 'html', 'native'] as const

const OwnDomain = Type.String({
  minLength: 1,
  maxLength: 253,
  format: 'plain-text',
  description: 'The business domain, told to buyers in ads.txt and sellers.json',
  examples: ['publisher.example'],
})

const publisherFields = {
  name: Name,
  timeZone: Type.Optional(TimeZone),
  domain: Type.Optional(nullable(OwnDomain)),
  isConfidential: Type.Optional(
    Type.Boolean({
      description: 'Leave name and domain out of sellers.json',
      examples: [false],
    }),
  ),
}

export const CreatePublisher = strict({ ...publisherFields, accountId: Uuid, currency: Currency })
const IsDefault = Type.Boolean({
  description:
    'Ad requests that name a placement type only, by nobody’s key, stand for the placements of this publisher. The first publisher, until ad operations choose another; exactly one is',
  examples: [true],
})
export const PatchPublisher = patchOf({ ...publisherFields, isDefault: bySeller(IsDefault) })
export const PublisherQuery = strict({
  ...LIST_QUERY,
  accountId: Type.Optional(Uuid),
  sort: Type.Optional(BY_NAME),
})
export const Publisher = Type.Object({
  ...ROW_FIELDS,
  ...DELETED_AT,
  accountId: Uuid,
  name: Name,
  currency: Currency,
  timeZone: TimeZone,
  domain: nullable(Type.String()),
  isConfidential: Type.Boolean(),
  isDefault: IsDefault,
})

const Volumes = Type.Array(Type.Number({ minimum: 0, maximum: 1_000_000 }), {
  minItems: 24,
  maxItems: 24,
  description: 'Relative traffic of each hour of the day; 1 is average',
  examples: [Array.from({ length: 24 }, () => 1)],
})

/** How a site spreads its day. Fields left out keep their default; a patch changes only the fields it names. */
export const Pacing = strict({
  dayDurationSeconds: Type.Optional(
    Type.Integer({
      minimum: 60,
      maximum: 86_400,
      description: 'Shorter than a day simulates one: elapsed time is scaled to 24 hours',
      examples: [86_400],
    }),
  ),
  weekdayVolumes: Type.Optional(Volumes),
  weekendVolumes: Type.Optional(Volumes),
  warmupMode: Type.Optional(
    Type.Boolean({ description: 'Observe traffic without serving', examples: [false] }),
  ),
  testThrottleOverride: Type.Optional(
    nullable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Fixed share of requests to leave unfilled',
        examples: [0.5],
      }),
    ),
  ),
})

const siteFields = {
  name: Name,
  domain: Type.String({
    minLength: 1,
    maxLength: 253,
    format: 'plain-text',
    description: 'A host name; kept in lower case, without "www."',
    examples: ['shop.example'],
  }),
  seedUrl: Type.Optional(nullable(WebUrl)),
  crawlCron: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: 100,
        format: 'plain-text',
        description: 'A five-field cron expression, in UTC',
        examples: ['0 3 * * *'],
      }),
    ),
  ),
  crawlDepth: Type.Optional(Type.Integer({ minimum: 0, maximum: 10, examples: [2] })),
  crawlPageLimit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, examples: [500] })),
  pacing: Type.Optional(Pacing),
  approvalRequired: Type.Optional(
    Type.Boolean({ description: 'Banners show only once approved here', examples: [true] }),
  ),
  keepUrlQueries: Type.Optional(
    Type.Boolean({
      description: 'Keep query string and fragment of page addresses',
      examples: [false],
    }),
  ),
  isActive: Type.Optional(Type.Boolean({ examples: [true] })),
  adsTxtLines: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 300, format: 'plain-text' }), {
      maxItems: 500,
      description: "Further lines of the site's ads.txt: other sellers, variables, comments",
      examples: [['exchange.example, 1234, RESELLER, abc123']],
    }),
  ),
}

const DomainState = oneOf(['unproven', 'proven'])
const DomainProof = oneOf(['dns', 'file', 'operator', 'upgrade'])

export const CreateSite = strict({ ...siteFields, publisherId: Uuid })
export const PatchSite = patchOf(siteFields)
export const SiteQuery = strict({
  ...LIST_QUERY,
  publisherId: Type.Optional(Uuid),
  domain: Type.Optional(filterText(253, 'shop.example')),
  domainState: Type.Optional(DomainState),
  isActive: Type.Optional(Type.Boolean()),
  sort: Type.Optional(oneOf(['-createdAt', 'createdAt', 'name', '-name', 'domain', '-domain'])),
})
export const Site = Type.Object({
  ...ROW_FIELDS,
  ...DELETED_AT,
  publisherId: Uuid,
  publisherName: nullable(Type.String()),
  name: Name,
  domain: Type.String(),
  seedUrl: nullable(WebUrl),
  crawlCron: nullable(Type.String()),
  crawlDepth: Type.Integer(),
  crawlPageLimit: Type.Integer(),
  pacing: Type.Object(Pacing.properties),
  approvalRequired: Type.Boolean(),
  keepUrlQueries: Type.Boolean(),
  isActive: Type.Boolean(),
  adsTxtLines: Type.Array(Type.String()),
  domainState: DomainState,
  domainProvenAt: nullable(Instant),
  domainProvenBy: nullable(DomainProof),
})

const ProofLine = Type.String({ examples: ['placard=0b2f4c9d8e7a4f3f9c1d2e3f4a5b6c7d'] })

/** How a site's domain stands. Until it is proven its placements show no ads and its pages are not read. */
export const SiteDomain = Type.Object({
  domain: Type.String(),
  state: DomainState,
  provenAt: nullable(Instant),
  provenBy: nullable(DomainProof),
  record: nullable(
    Type.Object({ type: Type.String(), name: Type.String(), line: ProofLine }),
    'The TXT record that proves the domain',
  ),
  files: Type.Array(Type.Object({ url: Type.String(), line: ProofLine }), {
    description: 'Or a text file with the line, at one of these addresses',
  }),
  isChecking: Type.Boolean({ description: 'True while a check is ordered and not done' }),
  checkedAt: nullable(Instant),
  nextCheckAt: nullable(Instant),
  failingSince: nullable(Instant, 'Since when the proof is missing; after three days it is over'),
  faults: Type.Array(Type.String(), { description: 'What the last check did not find' }),
})
export const SiteDomainParams = Type.Object({ siteId: Uuid })
export const DecideSiteDomain = strict({ reason: textOf(500, 'Seen in their contract') })

export const AdProductBlock = Type.Object({
  adProductCategory: Type.String(),
  createdAt: Instant,
})
export const AdProductBlocks = Type.Object({ items: Type.Array(AdProductBlock) })
export const AdProductBlocksParams = Type.Object({ siteId: Uuid })
export const AdProductBlockParams = Type.Object({ siteId: Uuid, category: AdProductId })
/** Whatever is on the list can be taken off, also an id from before ids were checked. */
export const BlockedAdProductParams = Type.Object({
  siteId: Uuid,
  category: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$', examples: ['1002'] }),
})

const PlacementType = oneOf(['banner', 'feed', 'story'])
export const LAYOUT_TYPES = [
  'full_slider',
  'full_static',
  'half_pair',
  'quarter_grid',
  'sidebar_stack',
  'sidebar_single',
  'interstitial',
  'popup',
  'inline_card',
  'sticky_bar',
] as const
const Layout = oneOf(LAYOUT_TYPES)
const Mode = oneOf(['direct', 'auction', 'hybrid'])
const Rotation = oneOf(['ordered', 'weighted'])
const Formats = Type.Array(oneOf(BANNER_FORMATS), {
  maxItems: BANNER_FORMATS.length,
  uniqueItems: true,
  description: 'Allowed formats; empty means all',
  examples: [['single_image']],
})
const Slug = Type.String({
  pattern: '^[a-z0-9]+(?:[-_][a-z0-9]+)*$',
  maxLength: 100,
  description:
    'Names the placement in serving addresses; stays taken after the placement is deleted',
  examples: ['home-hero'],
})
const AspectRatio = Type.String({ pattern: '^[0-9]{1,5}:[0-9]{1,5}$', examples: ['16:9'] })

const placementFields = {
  slug: Slug,
  label: textOf(255, 'Home page, top'),
  layoutType: Layout,
  type: Type.Optional(PlacementType),
  mode: Type.Optional(Mode),
  rotation: Type.Optional(Rotation),
  pageContext: Type.Optional(nullable(textOf(100, 'home'))),
  maxBanners: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, examples: [3] })),
  recommendedWidth: Type.Optional(nullable(Pixels)),
  recommendedHeight: Type.Optional(nullable(Pixels)),
  recommendedAspectRatio: Type.Optional(nullable(AspectRatio)),
  formats: Type.Optional(Formats),
  floorMicros: Type.Optional(Amount),
  timeZone: Type.Optional(TimeZone),
  notes: Type.Optional(nullable(textOf(2_000, 'Above the fold'))),
  isActive: Type.Optional(Type.Boolean({ examples: [true] })),
  isOffered: Type.Optional(
    Type.Boolean({
      description: 'Every advertiser sees its price and traffic, and may book it',
      examples: [false],
    }),
  ),
  sortOrder: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, examples: [0] })),
  fallbackPlaceholderUrl: Type.Optional(nullable(MediaUrl)),
  allowPartialRender: Type.Optional(Type.Boolean({ examples: [false] })),
}

export const CreatePlacement = strict({ ...placementFields, publisherId: Uuid })
export const PatchPlacement = patchOf(placementFields)
export const PlacementQuery = strict({
  ...LIST_QUERY,
  publisherId: Type.Optional(Uuid),
  slug: Type.Optional(Slug),
  type: Type.Optional(PlacementType),
  layoutType: Type.Optional(Layout),
  mode: Type.Optional(Mode),
  pageContext: Type.Optional(filterText(100, 'home')),
  isActive: Type.Optional(Type.Boolean()),
  sort: Type.Optional(
    oneOf(['-createdAt', 'createdAt', 'label', '-label', 'sortOrder', '-sortOrder']),
  ),
})
export const Placement = Type.Object({
  ...ROW_FIELDS,
  ...DELETED_AT,
  publisherId: Uuid,
  slug: Slug,
  label: Type.String(),
  layoutType: Layout,
  type: PlacementType,
  mode: Mode,
  rotation: Rotation,
  pageContext: nullable(Type.String()),
  maxBanners: Type.Integer(),
  recommendedWidth: nullable(Pixels),
  recommendedHeight: nullable(Pixels),
  recommendedAspectRatio: nullable(AspectRatio),
  formats: Formats,
  floorMicros: MicrosText,
  currency: nullable(Currency),
  timeZone: TimeZone,
  notes: nullable(Type.String()),
  isActive: Type.Boolean(),
  isOffered: Type.Boolean(),
  sortOrder: Type.Integer(),
  fallbackPlaceholderUrl: nullable(Type.String()),
  allowPartialRender: Type.Boolean(),
})

const slotFields = { name: textOf(255, 'Top of the article'), width: Pixels, height: Pixels }

export const CreateSlot = strict({ ...slotFields, siteId: Uuid, placementId: Uuid })
export const PatchSlot = patchOf(slotFields)
export const SlotQuery = strict({
  ...LIST_QUERY,
  siteId: Type.Optional(Uuid),
  placementId: Type.Optional(Uuid),
  sort: Type.Optional(BY_NAME),
})
export const Slot = Type.Object({
  ...ROW_FIELDS,
  ...DELETED_AT,
  siteId: Uuid,
  siteName: nullable(Type.String()),
  placementId: Uuid,
  placementSlug: nullable(Slug),
  name: Type.String(),
  width: Pixels,
  height: Pixels,
})

export const AdsTxtQuery = Type.Object({
  domain: Type.Optional(
    Type.String({
      maxLength: 253,
      description: 'The site. Without it, the host that the request names.',
      examples: ['shop.example'],
    }),
  ),
})
