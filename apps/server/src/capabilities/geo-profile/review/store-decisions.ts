import { desc, eq } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import { geoDecision } from '../tables.ts'

const columns = {
  userId: geoDecision.userId,
  about: geoDecision.about,
  blockActionId: geoDecision.blockActionId,
  deviceSessionId: geoDecision.deviceSessionId,
  verdict: geoDecision.verdict,
  reasonCode: geoDecision.reasonCode,
  comment: geoDecision.comment,
  actorType: geoDecision.actorType,
  actorId: geoDecision.actorId,
  decidedAt: geoDecision.decidedAt,
}

export type Decision = Pick<typeof geoDecision.$inferSelect, keyof typeof columns>

export async function addDecision(db: Database, decision: Decision): Promise<void> {
  await db.insert(geoDecision).values(decision)
}

/** The last decision on a suspicious session. */
export async function findDecisionOn(
  db: Database,
  blockActionId: string,
): Promise<Decision | undefined> {
  const [found] = await db
    .select(columns)
    .from(geoDecision)
    .where(eq(geoDecision.blockActionId, blockActionId))
    .orderBy(desc(geoDecision.id))
    .limit(1)
  return found
}

/** The last decision on a session that was blocked or unblocked by hand. */
export async function findDecisionByHand(
  db: Database,
  deviceSessionId: string,
): Promise<Decision | undefined> {
  const [found] = await db
    .select(columns)
    .from(geoDecision)
    .where(eq(geoDecision.deviceSessionId, deviceSessionId))
    .orderBy(desc(geoDecision.id))
    .limit(1)
  return found
}

const LISTED_MAX = 100

/** Newest first. */
export function listDecisionsOf(db: Database, userId: string): Promise<Decision[]> {
  return db
    .select(columns)
    .from(geoDecision)
    .where(eq(geoDecision.userId, userId))
    .orderBy(desc(geoDecision.id))
    .limit(LISTED_MAX)
}
