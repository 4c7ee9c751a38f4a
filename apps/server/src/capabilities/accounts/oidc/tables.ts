import { boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import {
  identity,
  instant,
  managed,
  publicId,
  rowId,
  softDeleted,
} from '../../../platform/database/columns.ts'
import type { SealedColumn } from '../../../platform/sealing/sealed-column.ts'
import type { AccessRule } from './admission.ts'

export const identityProviders = pgTable('identity_providers', {
  ...managed(),
  ...softDeleted(),
  slug: text('slug').notNull(),
  name: text('name').notNull(),
  issuer: text('issuer').notNull(),
  clientId: text('client_id').notNull(),
  sealedClientSecret: text('sealed_client_secret').notNull(),
  scopes: text('scopes').array().notNull().default([]),
  groupsClaim: text('groups_claim').notNull().default('groups'),
  emailVerifiedClaim: text('email_verified_claim').notNull().default('email_verified'),
  emailDomains: text('email_domains').array().notNull(),
  rules: jsonb('rules').$type<readonly AccessRule[]>().notNull().default([]),
  linksUsers: boolean('links_users').notNull().default(false),
  trustsFactor: boolean('trusts_factor').notNull().default(false),
  factorAcr: text('factor_acr').array().notNull().default([]),
  sessionHours: integer('session_hours').notNull().default(12),
  isActive: boolean('is_active').notNull().default(true),
})

export const CLIENT_SECRETS: SealedColumn = {
  table: 'identity_providers',
  column: 'sealed_client_secret',
  purpose: 'identity providers',
}

export const externalIdentities = pgTable('external_identities', {
  id: identity(),
  publicId: publicId(),
  userId: rowId('user_id').notNull(),
  identityProviderId: rowId('identity_provider_id').notNull(),
  issuer: text('issuer').notNull(),
  subject: text('subject').notNull(),
  email: text('email').notNull(),
  createdAt: instant('created_at').notNull(),
  lastUsedAt: instant('last_used_at'),
})
