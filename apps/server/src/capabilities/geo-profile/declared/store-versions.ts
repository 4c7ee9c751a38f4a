import { and, desc, eq, inArray, lt, max } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { declaredCountryVersion, userReviewState, type VersionState } from '../tables.ts'

const columns = {
  userId: declaredCountryVersion.userId,
  versionNo: declaredCountryVersion.versionNo,
  country: declaredCountryVersion.country,
  previousCountry: declaredCountryVersion.previousCountry,
  state: declaredCountryVersion.state,
  actorType: declaredCountryVersion.actorType,
  actorId: declaredCountryVersion.actorId,
  reasonCode: declaredCountryVersion.reasonCode,
  comment: declaredCountryVersion.comment,
  recordedAt: declaredCountryVersion.recordedAt,
  appliedAt: declaredCountryVersion.appliedAt,
  lastError: declaredCountryVersion.lastError,
}

export type Version = Pick<typeof declaredCountryVersion.$inferSelect, keyof typeof columns>
export type NewVersion = Omit<typeof declaredCountryVersion.$inferInsert, 'versionNo'>

export const OPEN: readonly VersionState[] = ['recorded', 'sync_failed']

export interface VersionKey {
  readonly userId: string
  readonly versionNo: number
}

const matches = ({ userId, versionNo }: VersionKey) =>
  and(eq(declaredCountryVersion.userId, userId), eq(declaredCountryVersion.versionNo, versionNo))

/** Locks the user, so that version numbers have no gaps and one change is open at a time. */
export async function lockUser(db: Database, userId: string): Promise<string | null> {
  await db.insert(userReviewState).values({ userId }).onConflictDoNothing()
  const [found] = await db
    .select({ declaredCountry: userReviewState.declaredCountry })
    .from(userReviewState)
    .where(eq(userReviewState.userId, userId))
    .for('update')
  return found!.declaredCountry
}

/** A user without a declaration when the User Service was asked may have one since. */
export async function isCountryKnown(db: Database, userId: string): Promise<boolean> {
  const [found] = await db
    .select({ country: userReviewState.declaredCountry })
    .from(userReviewState)
    .where(eq(userReviewState.userId, userId))
  return found !== undefined && found.country !== null
}

/** `isFirst` marks the value from before versions were kept: number 0. */
export async function addVersion(
  db: Database,
  version: NewVersion,
  { isFirst = false }: { isFirst?: boolean } = {},
): Promise<Version> {
  const [last] = await db
    .select({ versionNo: max(declaredCountryVersion.versionNo) })
    .from(declaredCountryVersion)
    .where(eq(declaredCountryVersion.userId, version.userId))
  const versionNo = isFirst ? 0 : (last?.versionNo ?? 0) + 1
  const [added] = await db
    .insert(declaredCountryVersion)
    .values({ ...version, versionNo })
    .returning(columns)
  return added!
}

export async function findVersion(db: Database, key: VersionKey): Promise<Version | undefined> {
  const [found] = await db.select(columns).from(declaredCountryVersion).where(matches(key))
  return found
}

export async function findOpenVersion(db: Database, userId: string): Promise<Version | undefined> {
  const [found] = await db
    .select(columns)
    .from(declaredCountryVersion)
    .where(
      and(
        eq(declaredCountryVersion.userId, userId),
        inArray(declaredCountryVersion.state, [...OPEN]),
      ),
    )
  return found
}

/** The newest applied version. */
export async function findApplied(db: Database, userId: string): Promise<Version | undefined> {
  const { userId: owner, state, versionNo } = declaredCountryVersion
  const [found] = await db
    .select(columns)
    .from(declaredCountryVersion)
    .where(and(eq(owner, userId), eq(state, 'applied')))
    .orderBy(desc(versionNo))
    .limit(1)
  return found
}

export async function findVersionByKey(
  db: Database,
  { userId, idempotencyKey }: { userId: string; idempotencyKey: string },
): Promise<Version | undefined> {
  const [found] = await db
    .select(columns)
    .from(declaredCountryVersion)
    .where(
      and(
        eq(declaredCountryVersion.userId, userId),
        eq(declaredCountryVersion.idempotencyKey, idempotencyKey),
      ),
    )
  return found
}

export interface VersionOutcome {
  readonly state: VersionState
  readonly appliedAt?: Date
  readonly lastError?: string | null
}

/** Changes only the state, and only while the version is open. Undefined if it is finished. */
export async function moveVersion(
  db: Database,
  key: VersionKey,
  { state, appliedAt, lastError = null }: VersionOutcome,
): Promise<Version | undefined> {
  const [moved] = await db
    .update(declaredCountryVersion)
    .set({ state, lastError, ...(appliedAt && { appliedAt }) })
    .where(and(matches(key), inArray(declaredCountryVersion.state, [...OPEN])))
    .returning(columns)
  return moved
}

const LISTED_MAX = 200

export function listVersions(db: Database, userId: string): Promise<Version[]> {
  return db
    .select(columns)
    .from(declaredCountryVersion)
    .where(eq(declaredCountryVersion.userId, userId))
    .orderBy(desc(declaredCountryVersion.versionNo))
    .limit(LISTED_MAX)
}

/** Changes open since before the instant, oldest first. */
export function listStuckVersions(db: Database, before: Date, limit: number): Promise<Version[]> {
  return db
    .select(columns)
    .from(declaredCountryVersion)
    .where(
      and(
        inArray(declaredCountryVersion.state, [...OPEN]),
        lt(declaredCountryVersion.recordedAt, before),
      ),
    )
    .orderBy(declaredCountryVersion.recordedAt)
    .limit(limit)
}
