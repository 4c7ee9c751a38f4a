import type { Micros } from '@placard/money'
import { bigint, customType, integer, timestamp, uuid } from 'drizzle-orm/pg-core'

/** The internal key; never leaves the program. */
export const identity = () =>
  bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity()

export const publicId = () => uuid('public_id').notNull().unique()

/** A reference to another table's internal key. */
export const rowId = (name: string) => bigint(name, { mode: 'bigint' })

export const micros = (name: string) => bigint(name, { mode: 'bigint' }).$type<Micros>()

export const instant = (name: string) => timestamp(name, { withTimezone: true })

/** A count; far below 2^53. */
export const count = (name: string) => bigint(name, { mode: 'number' })

/** The transaction that wrote the row; ordered feeds are read by it. */
export const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' })

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** Columns of every managed row: two keys, a version for If-Match, created and updated times. */
export const managed = () => ({
  id: identity(),
  publicId: publicId(),
  version: integer('version').notNull().default(1),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

/** The account that owns the row; tenants see only their own. */
export const owned = () => ({ accountId: rowId('account_id').notNull() })

export const softDeleted = () => ({ deletedAt: instant('deleted_at') })
