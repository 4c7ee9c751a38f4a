import type { RuleType, RuleValue } from '@placard/contract/targeting'
import { NO_MONEY } from '@placard/money'
import { boolean, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import {
  instant,
  managed,
  micros,
  owned,
  rowId,
  softDeleted,
} from '../../platform/database/columns.ts'
import type { CampaignState, Source } from './campaign.ts'

export const advertisers = pgTable('advertisers', {
  ...managed(),
  ...owned(),
  ...softDeleted(),
  name: text('name').notNull(),
  contact: text('contact'),
  domain: text('domain'),
  currency: text('currency').notNull(),
  timeZone: text('time_zone').notNull().default('UTC'),
  budgetDailyMicros: micros('budget_daily_micros'),
  /** Highest value of one conversion. Null: a maximum per currency applies. */
  conversionValueMaxMicros: micros('conversion_value_max_micros'),
  isHouse: boolean('is_house').notNull().default(false),
  housePublisherId: rowId('house_publisher_id'),
})

export const advertiserSiteBlocks = pgTable(
  'advertiser_site_blocks',
  {
    advertiserId: rowId('advertiser_id').notNull(),
    siteId: rowId('site_id').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.advertiserId, table.siteId] })],
)

export const sellpages = pgTable('sellpages', {
  ...managed(),
  ...owned(),
  ...softDeleted(),
  advertiserId: rowId('advertiser_id').notNull(),
  name: text('name').notNull(),
  url: text('url').notNull(),
})

export const campaigns = pgTable('campaigns', {
  ...managed(),
  ...owned(),
  ...softDeleted(),
  advertiserId: rowId('advertiser_id').notNull(),
  sellpageId: rowId('sellpage_id'),
  connectionId: rowId('connection_id'),
  name: text('name').notNull(),
  description: text('description'),
  source: text('source').$type<Source>().notNull().default('sponsored'),
  status: text('status').$type<CampaignState>().notNull().default('draft'),
  channel: text('channel').$type<'onsite' | 'meta'>().notNull().default('onsite'),
  objective: text('objective').notNull().default('awareness'),
  pricing: text('pricing').$type<'cpm' | 'cpc'>().notNull().default('cpm'),
  maxBidMicros: micros('max_bid_micros').notNull().default(NO_MONEY),
  mayExceedMaxBid: boolean('may_exceed_max_bid').notNull().default(false),
  targetCpaMicros: micros('target_cpa_micros'),
  pacingStrategy: text('pacing_strategy')
    .$type<'Smooth' | 'Accelerated'>()
    .notNull()
    .default('Smooth'),
  categories: text('categories').array().notNull().default([]),
  runsOnUnknownPages: boolean('runs_on_unknown_pages').notNull().default(false),
  adProductCategory: text('ad_product_category'),
  exclusionLabels: text('exclusion_labels').array().notNull().default([]),
  externalId: text('external_id'),
  startsAt: instant('starts_at'),
  endsAt: instant('ends_at'),
  budgetTotalMicros: micros('budget_total_micros'),
  budgetDailyMicros: micros('budget_daily_micros'),
  impressionCap: integer('impression_cap'),
  clickCap: integer('click_cap'),
  contractRef: text('contract_ref'),
  /** What the buyer asks for beyond the placements offered to all. */
  placementWishes: text('placement_wishes'),
  priority: integer('priority').notNull().default(0),
  createdBy: rowId('created_by'),
})

export const adSets = pgTable('ad_sets', {
  ...managed(),
  ...owned(),
  ...softDeleted(),
  campaignId: rowId('campaign_id').notNull(),
  name: text('name').notNull(),
  status: text('status').$type<DeliveryStatus>().notNull().default('active'),
  externalId: text('external_id'),
})

export const ads = pgTable('ads', {
  ...managed(),
  ...owned(),
  ...softDeleted(),
  campaignId: rowId('campaign_id').notNull(),
  adSetId: rowId('ad_set_id').notNull(),
  bannerId: rowId('banner_id').notNull(),
  name: text('name').notNull(),
  status: text('status').$type<DeliveryStatus>().notNull().default('active'),
  bidMicros: micros('bid_micros').notNull(),
  externalId: text('external_id'),
})

type DeliveryStatus = 'active' | 'paused' | 'ended'

export const campaignPlacements = pgTable(
  'campaign_placements',
  {
    campaignId: rowId('campaign_id').notNull(),
    placementId: rowId('placement_id').notNull(),
    isActive: boolean('is_active').notNull().default(true),
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.campaignId, table.placementId] })],
)

export const bannerAssignments = pgTable(
  'banner_assignments',
  {
    id: rowId('id').notNull().generatedAlwaysAsIdentity(),
    campaignId: rowId('campaign_id').notNull(),
    placementId: rowId('placement_id').notNull(),
    bannerId: rowId('banner_id').notNull(),
    displayOrder: integer('display_order').notNull().default(0),
    weight: integer('weight').notNull().default(100),
    isFallback: boolean('is_fallback').notNull().default(false),
    fallbackPriority: integer('fallback_priority'),
    isActive: boolean('is_active').notNull().default(true),
    overrideCtaLabel: text('override_cta_label'),
    overrideCtaUrl: text('override_cta_url'),
    overrideHeadline: text('override_headline'),
    overrideSubheadline: text('override_subheadline'),
    transitionDurationMs: integer('transition_duration_ms'),
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.campaignId, table.placementId, table.bannerId] })],
)

export const campaignTargetingRules = pgTable('campaign_targeting_rules', {
  ...managed(),
  ...owned(),
  campaignId: rowId('campaign_id').notNull(),
  ruleType: text('rule_type').$type<RuleType>().notNull(),
  operator: text('operator').notNull(),
  value: jsonb('value').$type<RuleValue>().notNull(),
  isActive: boolean('is_active').notNull().default(true),
})

/** Every category of ad products below another, written by a trigger. */
export const adProductLines = pgTable(
  'ad_product_lines',
  {
    ancestor: text('ancestor').notNull(),
    adProduct: text('ad_product').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ancestor, table.adProduct] })],
)
