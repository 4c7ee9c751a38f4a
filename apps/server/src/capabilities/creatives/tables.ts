import { sql } from 'drizzle-orm'
import { boolean, integer, jsonb, pgTable, text, time } from 'drizzle-orm/pg-core'
import {
  bytes,
  instant,
  managed,
  owned,
  rowId,
  softDeleted,
} from '../../platform/database/columns.ts'
import type { ApprovalStatus } from './approvals/approval.ts'
import type { ScheduleStatus } from './banners/banner.ts'
import type { TemplateField } from './banners/template.ts'
import type { AdVerification, GivenFile, VideoFile } from './assets/video-files.ts'

const referenceTable = (name: string) =>
  pgTable(name, { ...managed(), name: text('name').notNull(), externalId: text('external_id') })

export type ReferenceTable = ReturnType<typeof referenceTable>

export const brands = referenceTable('brands')
export const categories = referenceTable('categories')
export const products = referenceTable('products')
export const seoRecords = referenceTable('seo_records')

export const creativeTemplates = pgTable('creative_templates', {
  ...managed(),
  name: text('name').notNull(),
  description: text('description'),
  html: text('html').notNull(),
  fields: jsonb('fields').$type<readonly TemplateField[]>().notNull(),
})

export const assets = pgTable('assets', {
  ...managed(),
  ...owned(),
  ...softDeleted(),
  fileName: text('file_name').notNull(),
  filePath: text('file_path')
    .notNull()
    .generatedAlwaysAs(sql`'/api/v1/assets/' || public_id::text || '/file'`),
  contentType: text('content_type').notNull(),
  byteCount: integer('byte_count').notNull(),
  width: integer('width'),
  height: integer('height'),
  durationMs: integer('duration_ms'),
  bitrateKbps: integer('bitrate_kbps').generatedAlwaysAs(
    sql`least(byte_count::bigint * 8 / duration_ms, 1000000)::integer`,
  ),
  sha256: bytes('sha256').notNull(),
})

export const banners = pgTable('banners', {
  ...managed(),
  ...owned(),
  ...softDeleted(),
  advertiserId: rowId('advertiser_id').notNull(),
  title: text('title').notNull(),
  description: text('description'),
  source: text('source').notNull().default('sponsored'),
  format: text('format').notNull().default('single_image'),
  isActive: boolean('is_active').notNull().default(true),
  primaryImageUrl: text('primary_image_url').notNull(),
  primaryImageAlt: text('primary_image_alt'),
  mobileImageUrl: text('mobile_image_url'),
  videoUrl: text('video_url'),
  videoDurationMs: integer('video_duration_ms'),
  videoRenditions: jsonb('video_renditions').$type<readonly GivenFile[]>(),
  videoSkipAfterMs: integer('video_skip_after_ms'),
  videoFiles: jsonb('video_files').$type<readonly VideoFile[]>(),
  vastUrl: text('vast_url'),
  adVerifications: jsonb('ad_verifications').$type<readonly AdVerification[]>(),
  html: text('html'),
  templateId: rowId('template_id'),
  templateValues: jsonb('template_values').$type<Readonly<Record<string, string>>>(),
  mediaVariants: jsonb('media_variants').$type<Record<string, string>>(),
  width: integer('width'),
  height: integer('height'),
  headline: text('headline'),
  subheadline: text('subheadline'),
  ctaLabel: text('cta_label'),
  ctaUrl: text('cta_url'),
  ctaOpenNewTab: boolean('cta_open_new_tab').notNull().default(false),
  utmSource: text('utm_source'),
  utmMedium: text('utm_medium'),
  utmCampaign: text('utm_campaign'),
  utmContent: text('utm_content'),
  brandId: rowId('brand_id'),
  categoryId: rowId('category_id'),
  productId: rowId('product_id'),
  seoId: rowId('seo_id'),
  adProductCategory: text('ad_product_category'),
  tags: text('tags').array().notNull().default([]),
  bgColor: text('bg_color'),
  priority: integer('priority').notNull().default(0),
  publishAt: instant('publish_at'),
  expiresAt: instant('expires_at'),
  scheduleTimezone: text('schedule_timezone').notNull().default('UTC'),
  recurrenceRule: text('recurrence_rule'),
  recurrenceWindowStart: time('recurrence_window_start'),
  recurrenceWindowEnd: time('recurrence_window_end'),
  scheduleStatus: text('schedule_status').$type<ScheduleStatus>().notNull().default('evergreen'),
  isEvergreenFallback: boolean('is_evergreen_fallback').notNull().default(false),
  fallbackPlaceholderUrl: text('fallback_placeholder_url'),
  createdBy: rowId('created_by'),
})

/** Belongs to the site's account, which decides. The banner's account may read it. */
export const creativeApprovals = pgTable('creative_approvals', {
  ...managed(),
  ...owned(),
  siteId: rowId('site_id').notNull(),
  bannerId: rowId('banner_id').notNull(),
  bannerAccountId: rowId('banner_account_id').notNull(),
  status: text('status').$type<ApprovalStatus>().notNull().default('pending'),
  reason: text('reason'),
  decidedBy: rowId('decided_by'),
  decidedAt: instant('decided_at'),
})
