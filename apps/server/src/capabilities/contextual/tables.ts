import { sql } from 'drizzle-orm'
import { bigint, doublePrecision, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { identity, instant, owned, publicId, rowId } from '../../platform/database/columns.ts'
import type { PageState } from './pages/page.ts'

export const pages = pgTable('pages', {
  id: identity(),
  publicId: publicId(),
  ...owned(),
  siteId: rowId('site_id').notNull(),
  url: text('url').notNull(),
  /** What `pageKeyOf` says of the address, as a number with a sign. */
  key: bigint('key', { mode: 'bigint' })
    .notNull()
    .generatedAlwaysAs(sql`('x' || left(md5(url), 16))::bit(64)::bigint`),
  depth: integer('depth').notNull().default(0),
  state: text('state').$type<PageState>().notNull().default('waiting'),
  fault: text('fault'),
  title: text('title').notNull().default(''),
  body: text('body').notNull().default(''),
  contentHash: text('content_hash'),
  etag: text('etag'),
  lastModified: text('last_modified'),
  fetchedAt: instant('fetched_at'),
  classifiedAt: instant('classified_at'),
  classifier: text('classifier'),
  correctedAt: instant('corrected_at'),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

export const pageCategories = pgTable(
  'page_categories',
  {
    pageId: rowId('page_id').notNull(),
    categoryId: text('category_id').notNull(),
    confidence: doublePrecision('confidence').notNull(),
  },
  (table) => [primaryKey({ columns: [table.pageId, table.categoryId] })],
)

export const pageExamples = pgTable('page_examples', {
  id: identity(),
  pageId: rowId('page_id'),
  siteId: rowId('site_id').notNull(),
  categoryIds: text('category_ids').array().notNull(),
  title: text('title').notNull(),
  body: text('body').notNull(),
  createdBy: bigint('created_by', { mode: 'bigint' }),
  createdAt: instant('created_at').notNull(),
})

export const siteCrawls = pgTable('site_crawls', {
  siteId: rowId('site_id').primaryKey(),
  startedAt: instant('started_at').notNull(),
  finishedAt: instant('finished_at'),
  pagesRead: integer('pages_read').notNull().default(0),
  fault: text('fault'),
})
