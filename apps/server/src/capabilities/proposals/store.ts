import { and, eq } from 'drizzle-orm'
import type { Database } from '../../platform/database/connect.ts'
import { proposals } from './tables.ts'

export type ProposalRow = typeof proposals.$inferSelect

/** The row's pending proposal, locked until the transaction ends. */
export async function lockPending(
  db: Database,
  entityId: string,
): Promise<ProposalRow | undefined> {
  const [found] = await db
    .select()
    .from(proposals)
    .where(and(eq(proposals.entityId, entityId), eq(proposals.status, 'pending')))
    .for('update')
  return found
}
