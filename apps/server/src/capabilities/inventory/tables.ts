import { NO_MONEY } from '@placard/money'
import { sql } from 'drizzle-orm'
import { boolean, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import {
  instant,
  managed,
  micros,
  owned,
  rowId,
  softDeleted,
} from '../../platform/database/columns.ts'
import type { DomainProof } from './domains/domain.ts'
import type { PacingConfig } from './site.ts'

export const publishers = pgTable('publishers', {
  ...managed(),
  ...owned(),
  ...softDeleted(),
  name: text('name').notNull(),
  currency: text('currency').notNull(),
  timeZone: text('time_zone').notNull().default('UTC'),
  /** The business domain, told to buyers. */
  domain: text('domain'),
  isConfidential: boolean('is_confidential').notNull().default(false),
  isDefault: boolean('is_default').notNull().default(false),
})

export const sites = pgTable('sites', {
  ...managed(),
  ...owned(),
  ...softDeleted(),
  publisherId: rowId('publisher_id').notNull(),
  name: text('name').notNull(),
  domain: text('domain').notNull(),
  seedUrl: text('seed_url'),
  crawlCron: text('crawl_cron'),
  crawlDepth: integer('crawl_depth').notNull().default(2),
  crawlPageLimit: integer('crawl_page_limit').notNull().default(500),
  pacing: jsonb('pacing').$type<Partial<PacingConfig>>().notNull().default({}),
  approvalRequired: boolean('approval_required').notNull().default(true),
  keepUrlQueries: boolean('keep_url_queries').notNull().default(false),
  isActive: boolean('is_active').notNull().default(true),
  adsTxtLines: text('ads_txt_lines').array().notNull().default([]),
  domainToken: text('domain_token')
    .notNull()
    .default(sql`replace((gen_random_uuid())::text, '-'::text, ''::text)`),
  domainProvenAt: instant('domain_proven_at'),
  domainProvenBy: text('domain_proven_by').$type<DomainProof>(),
  domainState: text('domain_state')
    .$type<'unproven' | 'proven'>()
    .notNull()
    .generatedAlwaysAs(
      sql`CASE WHEN (domain_proven_at IS NULL) THEN 'unproven'::text ELSE 'proven'::text END`,
    ),
})

/** The last look at a site's domain, and when the next one is due. */
export const siteDomainChecks = pgTable('site_domain_checks', {
  siteId: rowId('site_id').primaryKey(),
  orderedAt: instant('ordered_at'),
  checkedAt: instant('checked_at'),
  /** Null: only when somebody asks. */
  nextAt: instant('next_at'),
  looks: integer('looks').notNull().default(0),
  /** Since when a proof has been missing. */
  failingSince: instant('failing_since'),
  faults: text('faults').array().notNull().default([]),
})

export const siteAdProductBlocks = pgTable(
  'site_ad_product_blocks',
  {
    siteId: rowId('site_id').notNull(),
    adProductCategory: text('ad_product_category').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.siteId, table.adProductCategory] })],
)

export const placements = pgTable('placements', {
  ...managed(),
  ...owned(),
  ...softDeleted(),
  publisherId: rowId('publisher_id').notNull(),
  slug: text('slug').notNull(),
  label: text('label').notNull(),
  type: text('type').notNull().default('banner'),
  layoutType: text('layout_type').notNull(),
  mode: text('mode').notNull().default('direct'),
  rotation: text('rotation').notNull().default('ordered'),
  pageContext: text('page_context'),
  maxBanners: integer('max_banners').notNull().default(1),
  recommendedWidth: integer('recommended_width'),
  recommendedHeight: integer('recommended_height'),
  recommendedAspectRatio: text('recommended_aspect_ratio'),
  formats: text('formats').array().notNull().default([]),
  floorMicros: micros('floor_micros').notNull().default(NO_MONEY),
  timeZone: text('time_zone').notNull().default('UTC'),
  notes: text('notes'),
  isActive: boolean('is_active').notNull().default(true),
  /** Every advertiser may book it. */
  isOffered: boolean('is_offered').notNull().default(false),
  sortOrder: integer('sort_order').notNull().default(0),
  fallbackPlaceholderUrl: text('fallback_placeholder_url'),
  allowPartialRender: boolean('allow_partial_render').notNull().default(false),
})

export const slots = pgTable('slots', {
  ...managed(),
  ...owned(),
  ...softDeleted(),
  siteId: rowId('site_id').notNull(),
  placementId: rowId('placement_id').notNull(),
  name: text('name').notNull(),
  width: integer('width').notNull(),
  height: integer('height').notNull(),
})
