import { and, count, desc, eq, gt, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'
import type { AccountKind, Role } from './access/access.ts'
import { accounts, apiKeys, auditLog, deviceSessions, refreshTokens, users } from './tables.ts'

/** The fields of a user that identify a caller. */
const person = {
  userId: users.id,
  publicId: users.publicId,
  displayName: users.displayName,
  role: sql<Role>`${users.role}`,
  isActive: users.isActive,
  deletedAt: users.deletedAt,
  passwordHash: users.passwordHash,
  hasFactor: users.hasFactor,
  requiresFactor: accounts.requiresFactor,
  email: users.email,
  signsInBy: users.signsInBy,
  accountId: users.accountId,
  accountPublicId: accounts.publicId,
  accountKind: sql<AccountKind>`${accounts.kind}`,
  accountDeletedAt: accounts.deletedAt,
}

export async function findPersonByEmail(db: Database, email: string) {
  const [found] = await db
    .select(person)
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(eq(sql`lower(${users.email})`, email.toLowerCase()))
  return found
}

export async function findPersonById(db: Database, userId: bigint) {
  const [found] = await db
    .select(person)
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(eq(users.id, userId))
  return found
}

export async function findPersonByPublicId(db: Database, publicId: string) {
  const [found] = await db
    .select(person)
    .from(users)
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(eq(users.publicId, publicId))
  return found
}

export async function findPersonBySession(db: Database, sessionPublicId: string) {
  const [found] = await db
    .select({
      ...person,
      sessionId: deviceSessions.id,
      lastSeenAt: deviceSessions.lastSeenAt,
      expiresAt: deviceSessions.expiresAt,
      revokedAt: deviceSessions.revokedAt,
      blockedAt: deviceSessions.blockedAt,
      reasonCode: deviceSessions.reasonCode,
      factorProof: deviceSessions.factorProof,
    })
    .from(deviceSessions)
    .innerJoin(users, eq(users.id, deviceSessions.userId))
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .where(eq(deviceSessions.publicId, sessionPublicId))
  return found
}

export type Person = NonNullable<Awaited<ReturnType<typeof findPersonByEmail>>>

export async function findPasswordHash(db: Database, userId: bigint): Promise<string | undefined> {
  const [found] = await db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, userId))
  return found?.passwordHash
}

export async function countActiveUsers(
  db: Database,
  filter: { accountId?: bigint; role?: Role },
): Promise<number> {
  const [found] = await db
    .select({ count: count() })
    .from(users)
    .where(
      and(
        eq(users.isActive, true),
        isNull(users.deletedAt),
        filter.accountId === undefined ? undefined : eq(users.accountId, filter.accountId),
        filter.role && eq(users.role, filter.role),
      ),
    )
  return found?.count ?? 0
}

/** The declared country of a user. Undefined if there is no such user. */
export async function findDeclaredCountry(
  db: Database,
  publicId: string,
): Promise<{ readonly declaredCountry: string | null } | undefined> {
  const [found] = await db
    .select({ declaredCountry: users.declaredCountry })
    .from(users)
    .where(and(sql`${users.publicId}::text = ${publicId}`, isNull(users.deletedAt)))
  return found
}

/** The oldest platform account. Undefined in a new database. */
export async function findPlatformAccount(db: Database) {
  const [found] = await db
    .select({ id: accounts.id, publicId: accounts.publicId })
    .from(accounts)
    .where(and(eq(accounts.kind, 'platform'), isNull(accounts.deletedAt)))
    .orderBy(accounts.id)
    .limit(1)
  return found
}

export async function addSession(
  db: Database,
  session: typeof deviceSessions.$inferInsert,
): Promise<bigint> {
  const [added] = await db
    .insert(deviceSessions)
    .values(session)
    .returning({ id: deviceSessions.id })
  return added!.id
}

export async function saveLastSeen(db: Database, sessionId: bigint, at: Date): Promise<void> {
  await db.update(deviceSessions).set({ lastSeenAt: at }).where(eq(deviceSessions.id, sessionId))
}

export async function extendSession(
  db: Database,
  sessionId: bigint,
  times: { lastSeenAt: Date; expiresAt: Date },
): Promise<void> {
  await db.update(deviceSessions).set(times).where(eq(deviceSessions.id, sessionId))
}

/** Whether the user signed in before, and whether from a device with that name. */
export async function findEarlierSessions(
  db: Database,
  { userId, deviceName }: { userId: bigint; deviceName: string },
) {
  const [found] = await db
    .select({
      any: count(),
      same: sql<number>`count(*) filter (where ${deviceSessions.deviceName} = ${deviceName})::int`,
    })
    .from(deviceSessions)
    .where(eq(deviceSessions.userId, userId))
  return { any: (found?.any ?? 0) > 0, same: (found?.same ?? 0) > 0 }
}

/** Newest first. A user has few sessions, because old ones are deleted. */
export function listSessionsOfUser(db: Database, userPublicId: string) {
  return db
    .select({
      publicId: deviceSessions.publicId,
      userPublicId: users.publicId,
      createdAt: deviceSessions.createdAt,
      lastSeenAt: deviceSessions.lastSeenAt,
      expiresAt: deviceSessions.expiresAt,
      revokedAt: deviceSessions.revokedAt,
      blockedAt: deviceSessions.blockedAt,
      reasonCode: deviceSessions.reasonCode,
    })
    .from(deviceSessions)
    .innerJoin(users, eq(users.id, deviceSessions.userId))
    .where(eq(users.publicId, userPublicId))
    .orderBy(desc(deviceSessions.publicId))
    .limit(200)
}

interface EndOfSessions {
  readonly userId: bigint
  readonly at: Date
  readonly reasonCode: string
  /** A session that stays open. */
  readonly except?: bigint | undefined
}

export async function revokeSessionsOf(
  db: Database,
  { userId, at, reasonCode, except }: EndOfSessions,
): Promise<void> {
  await db
    .update(deviceSessions)
    .set({ revokedAt: at, reasonCode })
    .where(
      and(
        eq(deviceSessions.userId, userId),
        isNull(deviceSessions.revokedAt),
        except === undefined ? undefined : ne(deviceSessions.id, except),
      ),
    )
}

export async function revokeSession(
  db: Database,
  { sessionId, at, reasonCode }: { sessionId: bigint; at: Date; reasonCode: string },
): Promise<void> {
  await db
    .update(deviceSessions)
    .set({ revokedAt: at, reasonCode })
    .where(and(eq(deviceSessions.id, sessionId), isNull(deviceSessions.revokedAt)))
}

export async function addRefreshToken(
  db: Database,
  token: typeof refreshTokens.$inferInsert,
): Promise<void> {
  await db.insert(refreshTokens).values(token)
}

/** Locks the token, so that of two concurrent uses the second sees that it is used. */
export async function lockRefreshToken(db: Database, tokenHash: Buffer) {
  const [found] = await db
    .select({
      id: refreshTokens.id,
      usedAt: refreshTokens.usedAt,
      isCookie: refreshTokens.isCookie,
      tokenExpiresAt: refreshTokens.expiresAt,
      sessionId: deviceSessions.id,
      sessionPublicId: deviceSessions.publicId,
      expiresAt: deviceSessions.expiresAt,
      revokedAt: deviceSessions.revokedAt,
      blockedAt: deviceSessions.blockedAt,
      reasonCode: deviceSessions.reasonCode,
      endsAt: deviceSessions.endsAt,
    })
    .from(refreshTokens)
    .innerJoin(deviceSessions, eq(deviceSessions.id, refreshTokens.sessionId))
    .where(eq(refreshTokens.tokenHash, tokenHash))
    .for('update', { of: refreshTokens })
  return found
}

export async function markRefreshTokenUsed(db: Database, id: bigint, at: Date): Promise<void> {
  await db.update(refreshTokens).set({ usedAt: at }).where(eq(refreshTokens.id, id))
}

/** A session used for months has thousands of expired tokens. */
export async function deleteRefreshTokensBefore(db: Database, instant: Date): Promise<number> {
  const over = db
    .select({ id: refreshTokens.id })
    .from(refreshTokens)
    .where(lt(refreshTokens.expiresAt, instant))
    .limit(10_000)
  const deleted = await db
    .delete(refreshTokens)
    .where(sql`${refreshTokens.id} in ${over}`)
    .returning({ id: refreshTokens.id })
  return deleted.length
}

/**
 * Deletes sessions that ended long ago, with their tokens. Bounded, because it runs beside
 * sign-ins.
 */
export async function deleteSessionsBefore(db: Database, instant: Date): Promise<number> {
  const ended = db
    .select({ id: deviceSessions.id })
    .from(deviceSessions)
    .where(lt(deviceSessions.expiresAt, instant))
    .limit(10_000)
  const deleted = await db
    .delete(deviceSessions)
    .where(sql`${deviceSessions.id} in ${ended}`)
    .returning({ id: deviceSessions.id })
  return deleted.length
}

/** A key by its hash or its public id, if it may be used. */
export async function findUsableKey(
  db: Database,
  {
    now,
    ...key
  }: ({ readonly hash: Buffer } | { readonly publicId: string }) & {
    readonly now: Date
  },
) {
  const [found] = await db
    .select({
      id: apiKeys.id,
      publicId: apiKeys.publicId,
      name: apiKeys.name,
      scopes: apiKeys.scopes,
      lastUsedAt: apiKeys.lastUsedAt,
      accountId: apiKeys.accountId,
      accountKind: sql<AccountKind>`${accounts.kind}`,
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(
      and(
        'hash' in key ? eq(apiKeys.keyHash, key.hash) : eq(apiKeys.publicId, key.publicId),
        isNull(apiKeys.revokedAt),
        isNull(accounts.deletedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
      ),
    )
  return found
}

export type UsableKey = NonNullable<Awaited<ReturnType<typeof findUsableKey>>>

export async function saveKeyUse(db: Database, id: bigint, at: Date): Promise<void> {
  await db.update(apiKeys).set({ lastUsedAt: at }).where(eq(apiKeys.id, id))
}

export async function addAuditRecord(
  db: Database,
  record: typeof auditLog.$inferInsert,
): Promise<void> {
  await db.insert(auditLog).values(record)
}
