import { desc, eq, lt, sql } from 'drizzle-orm'
import type { Database } from '../database/connect.ts'
import { nodes, type NodeFacts } from './tables.ts'

export interface LivingNode {
  readonly id: string
  readonly role: 'all' | 'api' | 'worker'
  readonly version: string
  readonly uptimeSeconds: number
  readonly facts: NodeFacts
}

const ago = (seconds: number) => sql<Date>`now() - make_interval(secs => ${seconds})`

/** Saves a heartbeat with the node's facts. */
export async function saveSignOfLife(db: Database, node: LivingNode): Promise<void> {
  const { uptimeSeconds, facts, ...rest } = node
  const seen = { facts, lastSeenAt: sql`now()` }
  await db
    .insert(nodes)
    .values({ ...rest, ...seen, startedAt: ago(uptimeSeconds) })
    .onConflictDoUpdate({ target: nodes.id, set: seen })
}

export async function forgetNode(db: Database, id: string): Promise<void> {
  await db.delete(nodes).where(eq(nodes.id, id))
}

/** Deletes nodes without a heartbeat for this long. Returns how many. */
export async function forgetSilentNodes(db: Database, seconds: number): Promise<number> {
  const gone = await db
    .delete(nodes)
    .where(lt(nodes.lastSeenAt, ago(seconds)))
    .returning({ id: nodes.id })
  return gone.length
}

const LISTED_MAX = 500

/** Most recently started first. */
export async function listNodes(db: Database) {
  return db
    .select({
      id: nodes.id,
      role: nodes.role,
      version: nodes.version,
      startedAt: nodes.startedAt,
      lastSeenAt: nodes.lastSeenAt,
      facts: nodes.facts,
      silentSeconds: sql<number>`extract(epoch from now() - ${nodes.lastSeenAt})::float8`,
    })
    .from(nodes)
    .orderBy(desc(nodes.startedAt), nodes.id)
    .limit(LISTED_MAX)
}
