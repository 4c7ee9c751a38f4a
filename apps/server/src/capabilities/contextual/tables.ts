import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'
import {
  identity,
  instant,
  owned,
  publicId,
  rowId,
  transactionId,
} from '../../platform/database/columns.ts'
import type { PageState } from './pages/page.ts'

export const pages = pgTable('pages', {
  id: identity(),
  publicId: publicId(),
  ...owned(),
  siteId: rowId('site_id').notNull(),
  url: text('url').notNull(),
  /** `pageKeyOf` the address, as a signed number. */
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

/** The candidates of a page, ready to be served. */
export const serveIndex = pgTable('serve_index', {
  pageId: rowId('page_id').primaryKey(),
  siteId: rowId('site_id').notNull(),
  url: text('url').notNull(),
  version: rowId('version')
    .notNull()
    .default(sql`nextval('serve_index_versions'::regclass)`),
  classifiedAt: instant('classified_at').notNull(),
  auctionedAt: instant('auctioned_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  candidates: jsonb('candidates').notNull(),
  hasLost: boolean('has_lost').notNull().default(false),
  categories: jsonb('categories')
    .notNull()
    .default(sql`'{}'::jsonb`),
})

/** Counts of a banner in one minute. */
export const creativeMinutes = pgTable(
  'creative_minutes',
  {
    bannerId: rowId('banner_id').notNull(),
    minute: instant('minute').notNull(),
    impressions: integer('impressions').notNull().default(0),
    clicks: integer('clicks').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.minute, table.bannerId] })],
)

/** What a category earns on a site. */
export const rankerScores = pgTable(
  'ranker_scores',
  {
    categoryId: text('category_id').notNull(),
    siteId: rowId('site_id').notNull(),
    impressions: doublePrecision('impressions').notNull().default(0),
    clicks: doublePrecision('clicks').notNull().default(0),
    revenue: doublePrecision('revenue').notNull().default(0),
    scoredAt: instant('scored_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.categoryId, table.siteId] })],
)

/** How far each source has been counted. */
export const contextualCursors = pgTable('contextual_cursors', {
  source: text('source').primaryKey(),
  xid: transactionId('xid').notNull(),
  id: rowId('id').notNull(),
})
