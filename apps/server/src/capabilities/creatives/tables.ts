import { pgTable, text } from 'drizzle-orm/pg-core'
import { managed, owned, rowId, softDeleted } from '../../platform/database/columns.ts'

export const banners = pgTable('banners', {
  ...managed(),
  ...owned(),
  ...softDeleted(),
  advertiserId: rowId('advertiser_id').notNull(),
  title: text('title').notNull(),
  primaryImageUrl: text('primary_image_url').notNull(),
})

export const creativeApprovals = pgTable('creative_approvals', {
  ...managed(),
  ...owned(),
  siteId: rowId('site_id').notNull(),
  bannerId: rowId('banner_id').notNull(),
  status: text('status').notNull().default('pending'),
})
