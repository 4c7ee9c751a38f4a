import { bigint, boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import {
  bytes,
  identity,
  instant,
  managed,
  owned,
  publicId,
  rowId,
} from '../../platform/database/columns.ts'
import type { SealedColumn } from '../../platform/sealing/sealed-column.ts'

export const recipients = pgTable('recipients', {
  ...managed(),
  ...owned(),
  name: text('name').notNull(),
  mailTo: text('mail_to').array().notNull().default([]),
  webhookUrl: text('webhook_url'),
  confirmedMail: text('confirmed_mail').array().notNull().default([]),
  confirmedWebhook: text('confirmed_webhook'),
  topics: text('topics').array().notNull().default([]),
  isActive: boolean('is_active').notNull().default(true),
  sealedSecret: text('sealed_secret').notNull(),
})

export const RECIPIENT_SECRETS: SealedColumn = {
  table: 'recipients',
  column: 'sealed_secret',
  purpose: 'recipients',
}

/** Links sent to addresses that should confirm. We store only a hash. */
export const recipientLinks = pgTable('recipient_links', {
  id: identity(),
  ...owned(),
  recipientId: bigint('recipient_id', { mode: 'bigint' }),
  address: text('address').notNull(),
  tokenHash: bytes('token_hash').notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  usedAt: instant('used_at'),
})

export const notices = pgTable('notices', {
  id: identity(),
  publicId: publicId(),
  ...owned(),
  recipientId: rowId('recipient_id').notNull(),
  way: text('way').$type<'mail' | 'webhook'>().notNull(),
  topic: text('topic').notNull(),
  toldKey: text('told_key').notNull(),
  subject: text('subject').notNull(),
  words: text('words').notNull(),
  data: jsonb('data').notNull().default({}),
  attachmentName: text('attachment_name'),
  attachment: bytes('attachment'),
  status: text('status').notNull().default('waiting'),
  attempts: integer('attempts').notNull().default(0),
  dueAt: instant('due_at').notNull(),
  lastError: text('last_error'),
  createdAt: instant('created_at').notNull(),
  finishedAt: instant('finished_at'),
})
