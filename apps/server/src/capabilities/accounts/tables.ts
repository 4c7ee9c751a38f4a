import { sql } from 'drizzle-orm'
import { bigint, boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import {
  bytes,
  count,
  identity,
  instant,
  managed,
  owned,
  publicId,
  rowId,
  softDeleted,
} from '../../platform/database/columns.ts'
import type { SealedColumn } from '../../platform/sealing/sealed-column.ts'
import type { ChallengePurpose, FactorKind, FactorProof } from './factors/factor.ts'

export { CLIENT_SECRETS } from './oidc/tables.ts'

export const accounts = pgTable('accounts', {
  ...managed(),
  accountId: rowId('account_id')
    .notNull()
    .generatedAlwaysAs(sql`id`),
  ...softDeleted(),
  kind: text('kind').$type<'platform' | 'advertiser' | 'publisher'>().notNull(),
  name: text('name').notNull(),
  requiresFactor: boolean('requires_factor').notNull().default(false),
})

export const users = pgTable('users', {
  ...managed(),
  ...owned(),
  ...softDeleted(),
  email: text('email').notNull(),
  displayName: text('display_name').notNull(),
  role: text('role').notNull(),
  passwordHash: text('password_hash').notNull(),
  isActive: boolean('is_active').notNull().default(true),
  hasFactor: boolean('has_factor').notNull().default(false),
  signsInBy: text('signs_in_by').$type<'password' | 'provider'>().notNull().default('password'),
  declaredCountry: text('declared_country'),
  searchText: text('search_text')
    .notNull()
    .generatedAlwaysAs(
      sql`display_name || ' ' || translate(email, '@.-_+', '     ') || ' ' || translate(public_id::text, '-', ' ')`,
    ),
})

export const deviceSessions = pgTable('device_sessions', {
  id: identity(),
  publicId: publicId(),
  userId: rowId('user_id').notNull(),
  deviceName: text('device_name').notNull(),
  createdAt: instant('created_at').notNull(),
  lastSeenAt: instant('last_seen_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  revokedAt: instant('revoked_at'),
  blockedAt: instant('blocked_at'),
  unblockedAt: instant('unblocked_at'),
  reasonCode: text('reason_code'),
  factorProof: text('factor_proof').$type<FactorProof>(),
  provenAt: instant('proven_at'),
  identityProviderId: bigint('identity_provider_id', { mode: 'bigint' }),
  endsAt: instant('ends_at'),
})

export const refreshTokens = pgTable('refresh_tokens', {
  id: identity(),
  sessionId: rowId('session_id').notNull(),
  tokenHash: bytes('token_hash').notNull(),
  expiresAt: instant('expires_at').notNull(),
  usedAt: instant('used_at'),
  isCookie: boolean('is_cookie').notNull().default(false),
})

export const signInLimits = pgTable('sign_in_limits', {
  subject: bytes('subject').primaryKey(),
  windowStartedAt: instant('window_started_at').notNull(),
  tries: integer('tries').notNull(),
})

export const signInLinks = pgTable('sign_in_links', {
  id: identity(),
  userId: rowId('user_id').notNull(),
  kind: text('kind').notNull(),
  tokenHash: bytes('token_hash').notNull(),
  newEmail: text('new_email'),
  changeId: uuid('change_id'),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  usedAt: instant('used_at'),
})

export const signInFactors = pgTable('sign_in_factors', {
  id: identity(),
  publicId: publicId(),
  userId: rowId('user_id').notNull(),
  kind: text('kind').$type<FactorKind>().notNull(),
  name: text('name').notNull(),
  createdAt: instant('created_at').notNull(),
  lastUsedAt: instant('last_used_at'),
  sealedSecret: text('sealed_secret'),
  lastStep: count('last_step'),
  credentialId: text('credential_id'),
  publicKey: bytes('public_key'),
  counter: count('counter'),
  transports: text('transports').array(),
})

/** Secrets of authenticators. */
export const FACTOR_SECRETS: SealedColumn = {
  table: 'sign_in_factors',
  column: 'sealed_secret',
  purpose: 'sign-in factors',
}

export const recoveryCodes = pgTable('recovery_codes', {
  id: identity(),
  userId: rowId('user_id').notNull(),
  codeHash: bytes('code_hash').notNull(),
  usedAt: instant('used_at'),
})

export const pendingSignIns = pgTable('pending_sign_ins', {
  id: identity(),
  tokenHash: bytes('token_hash').notNull(),
  userId: rowId('user_id'),
  challenge: text('challenge'),
  identityProviderId: bigint('identity_provider_id', { mode: 'bigint' }),
  expiresAt: instant('expires_at').notNull(),
})

export const factorChallenges = pgTable('factor_challenges', {
  sessionId: rowId('session_id').notNull(),
  purpose: text('purpose').$type<ChallengePurpose>().notNull(),
  challenge: text('challenge').notNull(),
  expiresAt: instant('expires_at').notNull(),
})

export const apiKeys = pgTable('api_keys', {
  id: identity(),
  publicId: publicId(),
  accountId: rowId('account_id').notNull(),
  name: text('name').notNull(),
  keyStart: text('key_start').notNull(),
  keyHash: bytes('key_hash').notNull(),
  scopes: text('scopes').array().notNull(),
  createdBy: rowId('created_by'),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at'),
  lastUsedAt: instant('last_used_at'),
  revokedAt: instant('revoked_at'),
})

export const auditLog = pgTable('audit_log', {
  id: identity(),
  publicId: publicId(),
  occurredAt: instant('occurred_at').notNull(),
  accountId: rowId('account_id'),
  actorKind: text('actor_kind').$type<'user' | 'key' | 'system'>().notNull(),
  actorId: uuid('actor_id'),
  actorName: text('actor_name').notNull(),
  action: text('action').notNull(),
  entity: text('entity').notNull(),
  entityId: text('entity_id').notNull(),
  before: jsonb('before'),
  after: jsonb('after'),
  requestId: text('request_id'),
})
