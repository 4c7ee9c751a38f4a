import { Type } from 'typebox'
import {
  ContentCategoryId,
  Instant,
  MicrosText,
  nullable,
  oneOf,
  PAGE_QUERY,
  strict,
  Uuid,
  WebUrl,
} from '../shared.ts'

/** In answers: pages keep an id that a newer taxonomy has dropped. */
const CategoryId = Type.String({ description: 'A category of the IAB Content Taxonomy 3.1' })

export const SitePagesParams = strict({ siteId: Uuid })
export const SitePageParams = strict({ siteId: Uuid, pageId: Uuid })

const State = oneOf(['read', 'waiting', 'gone', 'refused', 'failed'])

export const PagesQuery = strict({
  ...PAGE_QUERY,
  state: Type.Optional(State),
  category: Type.Optional(ContentCategoryId),
})

const PageCategory = Type.Object({
  id: CategoryId,
  name: Type.String(),
  parents: Type.Array(CategoryId, { description: 'Nearest first' }),
  confidence: Type.Number({ description: 'In (0, 1]' }),
})

export const SitePage = Type.Object({
  id: Uuid,
  url: Type.String(),
  title: Type.String(),
  state: State,
  fault: nullable(Type.String()),
  fetchedAt: nullable(Instant),
  classifiedAt: nullable(Instant),
  classifier: nullable(Type.String()),
  isCorrected: Type.Boolean(),
  categories: Type.Array(PageCategory, { description: 'Most confident first' }),
})

export const SitePages = Type.Object({
  items: Type.Array(SitePage),
  nextCursor: Type.Optional(Type.String()),
})

/** In the order in which a bid is checked for them. */
export const REJECT_REASONS = [
  'paused',
  'site-not-allowed',
  'place',
  'category-mismatch',
  'category-blocked',
  'below-floor',
  'budget-exhausted',
  'no-eligible-creative',
] as const
const RejectReason = oneOf(REJECT_REASONS)

const PageBuyer = Type.Object({
  placement: Type.String({ description: 'Slug of the placement' }),
  campaignId: Uuid,
  campaignName: Type.String(),
  advertiserName: Type.String(),
  bannerId: Uuid,
  bannerTitle: Type.String(),
  cpmMicros: MicrosText,
  currency: Type.String(),
  category: nullable(Type.String({ description: 'The page’s category that it targets' })),
  isApproved: Type.Boolean({ description: 'True also if the site requires no approval' }),
  isStanding: Type.Boolean({ description: 'True if it is on the page’s shortlist now' }),
  reason: nullable(RejectReason),
})

export const PageBuyers = Type.Object({
  items: Type.Array(PageBuyer, {
    description: 'Eligible bids, highest first; then rejected ones with the reason',
  }),
})

const RankedCategory = Type.Object({
  id: CategoryId,
  name: Type.String(),
  impressions: Type.Number({ description: 'On this site; weighted with a half-life of one week' }),
  clicks: Type.Number(),
  impressionsEverywhere: Type.Number(),
  clicksEverywhere: Type.Number(),
  clickRate: Type.Number({ description: 'Expected click rate on the evidence' }),
  relevanceMax: Type.Number({
    description: 'Factor on the score of a bid for it, on a page with confidence 1',
  }),
})

const RankedChoice = Type.Object({
  decidedAt: Instant,
  page: Type.String(),
  campaignId: Uuid,
  campaignName: Type.String(),
  relevance: nullable(
    Type.Number({ description: 'As of now; null if the campaign is not on the page’s shortlist' }),
  ),
  score: Type.Number({ description: 'In the currency, per impression, with relevance' }),
  bestOther: nullable(Type.Number({ description: 'Score of the next best bid' })),
  isWonByRelevance: Type.Boolean({
    description: 'True if the next best bid would have won without relevance',
  }),
  propensity: nullable(Type.Number({ description: 'Probability of this choice' })),
})

export const SiteRanker = Type.Object({
  usualClickRate: Type.Number({ description: 'Click rate of all categories of the site together' }),
  categories: Type.Array(RankedCategory, { description: 'Most shown first, at most 200' }),
  choices: Type.Array(RankedChoice, { description: 'The last 20 of the last hour' }),
})

export const CreatePage = strict({ url: WebUrl })

export const CorrectPage = strict({
  categoryIds: Type.Array(ContentCategoryId, { minItems: 1, maxItems: 3, examples: [['210']] }),
})

export const Crawl = Type.Object({
  startedAt: nullable(Instant),
  finishedAt: nullable(Instant),
  pagesRead: Type.Integer(),
  fault: nullable(Type.String()),
})

export const ContentCategories = Type.Object({
  items: Type.Array(
    Type.Object({
      id: CategoryId,
      name: Type.String(),
      parentId: nullable(CategoryId),
      isSensitive: Type.Boolean(),
    }),
  ),
})

export const AdProducts = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Type.String({ description: 'An id of the IAB Ad Product Taxonomy 2.0' }),
      name: Type.String(),
      parentId: nullable(Type.String()),
    }),
  ),
})

export const NewsQuery = strict({
  seconds: Type.Integer({
    minimum: 0,
    maximum: 600,
    description: 'Seconds to listen before the connection closes; then reconnect',
    examples: [300],
  }),
})
