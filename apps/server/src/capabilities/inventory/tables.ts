import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { managed, owned, rowId, softDeleted } from '../../platform/database/columns.ts'

export const publishers = pgTable('publishers', {
  ...managed(),
  ...owned(),
  ...softDeleted(),
  name: text('name').notNull(),
  currency: text('currency').notNull(),
})

export const sites = pgTable('sites', {
  ...managed(),
  ...owned(),
  ...softDeleted(),
  publisherId: rowId('publisher_id').notNull(),
  name: text('name').notNull(),
  domain: text('domain').notNull(),
})

export const placements = pgTable('placements', {
  ...managed(),
  ...owned(),
  ...softDeleted(),
  publisherId: rowId('publisher_id').notNull(),
  slug: text('slug').notNull(),
  label: text('label').notNull(),
  layoutType: text('layout_type').notNull(),
  isActive: boolean('is_active').notNull().default(true),
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
