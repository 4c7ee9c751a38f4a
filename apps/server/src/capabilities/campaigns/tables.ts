import { boolean, pgTable, text } from 'drizzle-orm/pg-core'
import { managed, micros, owned, softDeleted } from '../../platform/database/columns.ts'

export const advertisers = pgTable('advertisers', {
  ...managed(),
  ...owned(),
  ...softDeleted(),
  name: text('name').notNull(),
  contact: text('contact'),
  currency: text('currency').notNull(),
  timeZone: text('time_zone').notNull().default('UTC'),
  budgetDailyMicros: micros('budget_daily_micros'),
  isHouse: boolean('is_house').notNull().default(false),
})
