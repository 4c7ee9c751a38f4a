import { Type } from 'typebox'
import { Instant, nullable, oneOf, PAGE_QUERY, strict, Uuid, WebUrl } from './shared.ts'

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
