import { boolean, pgTable, text } from 'drizzle-orm/pg-core'
import { instant, managed, owned, rowId, softDeleted } from '../../platform/database/columns.ts'
import type { ProviderName } from './stat.ts'

export const channelConnections = pgTable('channel_connections', {
  ...managed(),
  ...owned(),
  ...softDeleted(),
  advertiserId: rowId('advertiser_id').notNull(),
  name: text('name').notNull(),
  connectionType: text('connection_type').notNull(),
  provider: text('provider').$type<ProviderName>().notNull(),
  externalId: text('external_id'),
  sealedCredentials: text('sealed_credentials'),
  hasCredentials: boolean('has_credentials').notNull().generatedAlwaysAs(true),
  isActive: boolean('is_active').notNull().default(true),
  failingSince: instant('failing_since'),
  failure: text('failure'),
  restsUntil: instant('rests_until'),
})
