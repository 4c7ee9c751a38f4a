import { and, asc, count, eq, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import {
  deviceSessions,
  factorChallenges,
  pendingSignIns,
  recoveryCodes,
  signInFactors,
  users,
} from '../tables.ts'
import type { ChallengePurpose, FactorProof } from './factor.ts'

/** One change of somebody's factors at a time. */
export async function lockFactorsOf(db: Database, userId: bigint): Promise<void> {
  await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
}

/** Oldest first; a user has few. */
export function listFactors(db: Database, userId: bigint) {
  return db
    .select()
    .from(signInFactors)
    .where(eq(signInFactors.userId, userId))
    .orderBy(asc(signInFactors.id))
}

export type FactorRow = Awaited<ReturnType<typeof listFactors>>[number]

export async function addFactor(
  db: Database,
  factor: typeof signInFactors.$inferInsert,
): Promise<FactorRow> {
  const [added] = await db.insert(signInFactors).values(factor).returning()
  await saveHasFactor(db, factor.userId)
  return added!
}

/** Removes one factor of the user, or all. */
export async function removeFactors(
  db: Database,
  { userId, publicId }: { userId: bigint; publicId?: string },
): Promise<void> {
  const one = publicId === undefined ? undefined : eq(signInFactors.publicId, publicId)
  await db.delete(signInFactors).where(and(eq(signInFactors.userId, userId), one))
  await saveHasFactor(db, userId)
}

async function saveHasFactor(db: Database, userId: bigint): Promise<void> {
  const hasFactor = sql`exists (select from ${signInFactors} where ${signInFactors.userId} = ${users.id})`
  await db.update(users).set({ hasFactor }).where(eq(users.id, userId))
}

interface UsedStep {
  readonly id: bigint
  readonly step: number
  readonly now: Date
}

/** False if this code, or a later one, was used before. */
export async function useStep(db: Database, { id, step, now }: UsedStep) {
  const used = await db
    .update(signInFactors)
    .set({ lastStep: step, lastUsedAt: now })
    .where(and(eq(signInFactors.id, id), lt(signInFactors.lastStep, step)))
    .returning({ id: signInFactors.id })
  return used.length === 1
}

export async function findPasskey(db: Database, credentialId: string) {
  const [found] = await db
    .select()
    .from(signInFactors)
    .where(eq(signInFactors.credentialId, credentialId))
  return found
}

export async function savePasskeyUse(
  db: Database,
  { id, counter, now }: { id: bigint; counter: number; now: Date },
): Promise<void> {
  await db.update(signInFactors).set({ counter, lastUsedAt: now }).where(eq(signInFactors.id, id))
}

export async function saveRecoveryCodes(
  db: Database,
  { userId, hashes }: { userId: bigint; hashes: readonly Buffer[] },
): Promise<void> {
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  if (hashes.length === 0) return
  await db.insert(recoveryCodes).values(hashes.map((codeHash) => ({ userId, codeHash })))
}

/** False if the user has no such code, or has used it. */
export async function useRecoveryCode(
  db: Database,
  { userId, codeHash, now }: { userId: bigint; codeHash: Buffer; now: Date },
): Promise<boolean> {
  const used = await db
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.codeHash, codeHash),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ id: recoveryCodes.id })
  return used.length === 1
}

export async function countRecoveryCodes(db: Database, userId: bigint): Promise<number> {
  const [found] = await db
    .select({ left: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))
  return found!.left
}

export async function addPending(
  db: Database,
  pending: typeof pendingSignIns.$inferInsert,
): Promise<void> {
  await db.insert(pendingSignIns).values(pending)
}

export async function findPending(db: Database, { tokenHash, now }: PendingKey) {
  const [found] = await db
    .select({
      id: pendingSignIns.id,
      userId: pendingSignIns.userId,
      expiresAt: pendingSignIns.expiresAt,
      identityProviderId: pendingSignIns.identityProviderId,
    })
    .from(pendingSignIns)
    .where(stillOpen({ tokenHash, now }))
  return found
}

interface PendingKey {
  readonly tokenHash: Buffer
  readonly now: Date
}

const stillOpen = ({ tokenHash, now }: PendingKey) =>
  and(
    eq(pendingSignIns.tokenHash, tokenHash),
    sql`${pendingSignIns.expiresAt} > ${now.toISOString()}::timestamptz`,
  )

/** False if it was completed meanwhile. */
export async function endPending(db: Database, id: bigint): Promise<boolean> {
  const ended = await db
    .delete(pendingSignIns)
    .where(eq(pendingSignIns.id, id))
    .returning({ id: pendingSignIns.id })
  return ended.length === 1
}

export async function saveChallenge(
  db: Database,
  challenge: typeof factorChallenges.$inferInsert,
): Promise<void> {
  await db
    .insert(factorChallenges)
    .values(challenge)
    .onConflictDoUpdate({
      target: [factorChallenges.sessionId, factorChallenges.purpose],
      set: { challenge: challenge.challenge, expiresAt: challenge.expiresAt },
    })
}

export async function deletePendingOf(db: Database, userId: bigint): Promise<void> {
  await db.delete(pendingSignIns).where(eq(pendingSignIns.userId, userId))
}

/** A challenge works once: whatever comes of it, nobody finds it again. */
export function takePendingChallenge(db: Database, id: bigint): Promise<string | undefined> {
  return db.transaction(async (db) => {
    const [found] = await db
      .select({ challenge: pendingSignIns.challenge })
      .from(pendingSignIns)
      .where(eq(pendingSignIns.id, id))
      .for('update')
    await db.update(pendingSignIns).set({ challenge: null }).where(eq(pendingSignIns.id, id))
    return found?.challenge ?? undefined
  })
}

export async function savePendingChallenge(
  db: Database,
  { id, challenge }: { id: bigint; challenge: string },
): Promise<void> {
  await db.update(pendingSignIns).set({ challenge }).where(eq(pendingSignIns.id, id))
}

interface ChallengeKey {
  readonly sessionId: bigint
  readonly purpose: ChallengePurpose
}

const challengeOf = ({ sessionId, purpose }: ChallengeKey) =>
  and(eq(factorChallenges.sessionId, sessionId), eq(factorChallenges.purpose, purpose))

export async function findChallenge(db: Database, key: ChallengeKey, now: Date) {
  const [found] = await db.select().from(factorChallenges).where(challengeOf(key))
  return found && found.expiresAt > now ? found.challenge : undefined
}

/** Nobody finds it again. */
export async function takeChallenge(db: Database, key: ChallengeKey, now: Date) {
  const [taken] = await db.delete(factorChallenges).where(challengeOf(key)).returning()
  return taken && taken.expiresAt > now ? taken.challenge : undefined
}

export async function findProofOfSession(db: Database, sessionId: bigint) {
  const [found] = await db
    .select({
      createdAt: deviceSessions.createdAt,
      provenAt: deviceSessions.provenAt,
      factorProof: deviceSessions.factorProof,
    })
    .from(deviceSessions)
    .where(eq(deviceSessions.id, sessionId))
  return found
}

export async function saveProofOfSession(
  db: Database,
  { sessionId, ...proof }: { sessionId: bigint; provenAt: Date; factorProof?: FactorProof },
): Promise<void> {
  await db.update(deviceSessions).set(proof).where(eq(deviceSessions.id, sessionId))
}

/** The user has no factor any more: no session is proven by one. */
export async function forgetProofsOf(db: Database, userId: bigint): Promise<void> {
  await db
    .update(deviceSessions)
    .set({ factorProof: null })
    .where(
      and(
        eq(deviceSessions.userId, userId),
        isNotNull(deviceSessions.factorProof),
        ne(deviceSessions.factorProof, 'provider'),
      ),
    )
}

/** Deletes what nobody can answer any more. */
export async function deleteExpiredChallenges(db: Database, now: Date): Promise<void> {
  await db.delete(pendingSignIns).where(lt(pendingSignIns.expiresAt, now))
  await db.delete(factorChallenges).where(lt(factorChallenges.expiresAt, now))
}
