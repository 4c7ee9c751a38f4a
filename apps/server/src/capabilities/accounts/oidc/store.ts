import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { deviceSessions, users } from '../tables.ts'
import { externalIdentities, identityProviders } from './tables.ts'

const isUsable = and(eq(identityProviders.isActive, true), isNull(identityProviders.deletedAt))

/** Providers on the sign-in page, by name. */
export function listUsableProviders(db: Database) {
  return db
    .select({ slug: identityProviders.slug, name: identityProviders.name })
    .from(identityProviders)
    .where(isUsable)
    .orderBy(asc(identityProviders.name), asc(identityProviders.id))
}

export async function findUsableProvider(db: Database, slug: string) {
  const [found] = await db
    .select()
    .from(identityProviders)
    .where(and(eq(identityProviders.slug, slug), isUsable))
  return found
}

export async function findUsableProviderById(db: Database, id: bigint) {
  const [found] = await db
    .select()
    .from(identityProviders)
    .where(and(eq(identityProviders.id, id), isUsable))
  return found
}

export type ProviderRow = NonNullable<Awaited<ReturnType<typeof findUsableProvider>>>

/** Of people who come for the first time, one at a time: of two tabs, the second finds the user. */
export async function lockProvider(db: Database, id: bigint): Promise<void> {
  await db
    .select({ id: identityProviders.id })
    .from(identityProviders)
    .where(eq(identityProviders.id, id))
    .for('update')
}

/** Of two ways in that are removed at once, the second finds that it is the last. */
export async function lockUser(db: Database, id: bigint): Promise<void> {
  await db.select({ id: users.id }).from(users).where(eq(users.id, id)).for('update')
}

interface Subject {
  readonly issuer: string
  readonly subject: string
}

export async function findIdentity(db: Database, { issuer, subject }: Subject) {
  const [found] = await db
    .select()
    .from(externalIdentities)
    .where(and(eq(externalIdentities.issuer, issuer), eq(externalIdentities.subject, subject)))
  return found
}

export async function hasIdentityAt(
  db: Database,
  { userId, issuer }: { readonly userId: bigint; readonly issuer: string },
): Promise<boolean> {
  const found = await db
    .select({ id: externalIdentities.id })
    .from(externalIdentities)
    .where(and(eq(externalIdentities.userId, userId), eq(externalIdentities.issuer, issuer)))
  return found.length > 0
}

export async function addIdentity(
  db: Database,
  identity: typeof externalIdentities.$inferInsert,
): Promise<void> {
  await db.insert(externalIdentities).values(identity)
}

export async function saveIdentityUse(
  db: Database,
  id: bigint,
  use: { readonly email: string; readonly lastUsedAt: Date },
): Promise<void> {
  await db.update(externalIdentities).set(use).where(eq(externalIdentities.id, id))
}

/** Oldest first; a user has few. */
export function listIdentitiesOf(db: Database, userId: bigint) {
  return db
    .select({
      publicId: externalIdentities.publicId,
      providerSlug: identityProviders.slug,
      providerName: identityProviders.name,
      email: externalIdentities.email,
      createdAt: externalIdentities.createdAt,
      lastUsedAt: externalIdentities.lastUsedAt,
    })
    .from(externalIdentities)
    .innerJoin(identityProviders, eq(identityProviders.id, externalIdentities.identityProviderId))
    .where(eq(externalIdentities.userId, userId))
    .orderBy(asc(externalIdentities.id))
}

/** The issuer of the removed identity, or undefined if the user has none with that id. */
export async function removeIdentity(
  db: Database,
  { userId, publicId }: { readonly userId: bigint; readonly publicId: string },
) {
  const [removed] = await db
    .delete(externalIdentities)
    .where(
      and(
        eq(externalIdentities.userId, userId),
        sql`${externalIdentities.publicId}::text = ${publicId}`,
      ),
    )
    .returning({
      identityProviderId: externalIdentities.identityProviderId,
      email: externalIdentities.email,
    })
  return removed
}

interface EndedProvider {
  readonly providerId: bigint
  readonly at: Date
  /** Only sessions of this user. */
  readonly userId?: bigint
}

export async function revokeSessionsFrom(
  db: Database,
  { providerId, at, userId }: EndedProvider,
): Promise<void> {
  await db
    .update(deviceSessions)
    .set({ revokedAt: at, reasonCode: 'identity_provider_off' })
    .where(
      and(
        eq(deviceSessions.identityProviderId, providerId),
        isNull(deviceSessions.revokedAt),
        userId === undefined ? undefined : eq(deviceSessions.userId, userId),
      ),
    )
}

/** The provider through which a session began. */
export async function findProviderOfSession(db: Database, sessionId: bigint) {
  const [found] = await db
    .select()
    .from(identityProviders)
    .innerJoin(deviceSessions, eq(deviceSessions.identityProviderId, identityProviders.id))
    .where(and(eq(deviceSessions.id, sessionId), isUsable))
  return found?.identity_providers
}
