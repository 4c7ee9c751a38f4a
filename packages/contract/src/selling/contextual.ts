import { Type } from 'typebox'
import {
  Instant,
  MicrosText,
  nullable,
  oneOf,
  PAGE_QUERY,
  strict,
  Uuid,
  WebUrl,
} from '../shared.ts'

const CategoryId = Type.String({
  pattern: '^[A-Za-z0-9]{1,12}$',
  description: 'A category of the IAB Content Taxonomy 3.1',
  examples: ['210'],
})

export const SitePagesParams = strict({ siteId: Uuid })
export const SitePageParams = strict({ siteId: Uuid, pageId: Uuid })

const State = oneOf(['read', 'waiting', 'gone', 'refused', 'failed'])

export const PagesQuery = strict({
  ...PAGE_QUERY,
  state: Type.Optional(State),
  category: Type.Optional(CategoryId),
})

const PageCategory = Type.Object({
  id: CategoryId,
  name: Type.String(),
  parents: Type.Array(CategoryId, { description: 'The nearest first' }),
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
  categories: Type.Array(PageCategory, { description: 'The surest first' }),
})

export const SitePages = Type.Object({
  items: Type.Array(SitePage),
  nextCursor: Type.Optional(Type.String()),
})

/** In the order in which a bid is asked about them. */
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
  category: nullable(Type.String({ description: 'What of the page it wants to stand beside' })),
  isApproved: Type.Boolean({ description: 'Or the site asks for no approval' }),
  isStanding: Type.Boolean({ description: 'It is on the page’s list now' }),
  reason: nullable(RejectReason),
})

export const PageBuyers = Type.Object({
  items: Type.Array(PageBuyer, {
    description: 'Who may buy first, the highest bid first; then who may not, and why',
  }),
})

const RankedCategory = Type.Object({
  id: CategoryId,
  name: Type.String(),
  impressions: Type.Number({ description: 'On this site; half of it is forgotten in a week' }),
  clicks: Type.Number(),
  impressionsEverywhere: Type.Number(),
  clicksEverywhere: Type.Number(),
  clickRate: Type.Number({ description: 'What the evidence supports on average' }),
  relevanceMax: Type.Number({
    description: 'What the score of a bid for it is multiplied by on a page surely about it',
  }),
})

const RankedChoice = Type.Object({
  decidedAt: Instant,
  page: Type.String(),
  campaignId: Uuid,
  campaignName: Type.String(),
  relevance: nullable(
    Type.Number({ description: 'As it is now; null where the campaign is not on the page’s list' }),
  ),
  score: Type.Number({ description: 'In the currency, per impression, relevance included' }),
  bestOther: nullable(Type.Number({ description: 'The score of the best other bid' })),
  isWonByRelevance: Type.Boolean({ description: 'Without its relevance the other bid had won' }),
  propensity: nullable(Type.Number({ description: 'How likely the choice was' })),
})

export const SiteRanker = Type.Object({
  usualClickRate: Type.Number({ description: 'Of all categories of the site together' }),
  categories: Type.Array(RankedCategory, { description: 'The most shown first, at most 200' }),
  choices: Type.Array(RankedChoice, { description: 'The last 20 of the last hour' }),
})

export const CreatePage = strict({ url: WebUrl })

export const CorrectPage = strict({
  categoryIds: Type.Array(CategoryId, { minItems: 1, maxItems: 3, examples: [['210']] }),
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

export const NewsQuery = strict({
  seconds: Type.Integer({
    minimum: 0,
    maximum: 600,
    description: 'How long to listen; then come again',
    examples: [300],
  }),
})
