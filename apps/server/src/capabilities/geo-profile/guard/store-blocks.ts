import { and, asc, desc, eq, gte, inArray, lt, lte, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/database/connect.ts'
import type { Actor } from './services.ts'
import type { Suspicion } from '../profile/suspicion.ts'
import { type BlockState, sessionBlockAction } from '../tables.ts'

export const REASON_CODE = 'multi_country_window'

/** States in which a session is blocked. */
export const BLOCKED: readonly BlockState[] = ['succeeded', 'unblock_failed']

/** The states that a new flag may raise. */
const WEAKER: Readonly<Record<NewBlockAction['state'], BlockState[]>> = {
  skipped_shadow: [],
  awaiting_review: ['skipped_shadow'],
  requested: ['skipped_shadow', 'awaiting_review'],
}

export interface NewBlockAction {
  readonly publicId: string
  readonly userId: string
  readonly suspicion: Suspicion
  readonly state: 'skipped_shadow' | 'awaiting_review' | 'requested'
  readonly actor: Actor
  readonly now: Date
}

/**
 * One action per session and reason. A recorded one may go to a person, and both may be blocked.
 * Nothing goes back, and a dismissed action stays dismissed. Returns the state if it changed.
 */
export async function addBlockAction(
  db: Database,
  { publicId, userId, suspicion, state, actor, now }: NewBlockAction,
): Promise<BlockState | undefined> {
  const weaker = WEAKER[state]
  const [changed] = await db
    .insert(sessionBlockAction)
    .values({
      publicId,
      userId,
      deviceSessionId: suspicion.target.deviceSessionId,
      reasonCode: REASON_CODE,
      evidence: suspicion,
      state,
      availableAt: now,
      actorType: actor.type,
      actorId: actor.id,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoUpdate({
      target: [sessionBlockAction.deviceSessionId, sessionBlockAction.reasonCode],
      targetWhere: sql`state <> 'failed'`,
      set: { state, evidence: suspicion, availableAt: now, updatedAt: now },
      setWhere: weaker.length > 0 ? inArray(sessionBlockAction.state, weaker) : sql`false`,
    })
    .returning({ state: sessionBlockAction.state })
  return changed?.state
}

/** Sessions of the user that were blocked since the instant, or are about to be. */
export function countBlocks(db: Database, userId: string, since: Date): Promise<number> {
  return db.$count(
    sessionBlockAction,
    and(
      eq(sessionBlockAction.userId, userId),
      inArray(sessionBlockAction.state, ['requested', 'succeeded']),
      gte(sessionBlockAction.updatedAt, since),
    ),
  )
}

const columns = {
  publicId: sessionBlockAction.publicId,
  userId: sessionBlockAction.userId,
  deviceSessionId: sessionBlockAction.deviceSessionId,
  reasonCode: sessionBlockAction.reasonCode,
  evidence: sessionBlockAction.evidence,
  state: sessionBlockAction.state,
  attempts: sessionBlockAction.attempts,
  lastError: sessionBlockAction.lastError,
  actorType: sessionBlockAction.actorType,
  actorId: sessionBlockAction.actorId,
  createdAt: sessionBlockAction.createdAt,
  updatedAt: sessionBlockAction.updatedAt,
}

export type BlockAction = Pick<typeof sessionBlockAction.$inferSelect, keyof typeof columns>

export type RequestedState = 'requested' | 'unblock_requested'

interface Claim {
  readonly requested: readonly RequestedState[]
  readonly limit: number
  readonly now: Date
  readonly leaseUntil: Date
}

/** Claims due actions until the lease ends. */
export async function claimBlocks(
  db: Database,
  { requested, limit, now, leaseUntil }: Claim,
): Promise<BlockAction[]> {
  const due = db
    .select({ id: sessionBlockAction.id })
    .from(sessionBlockAction)
    .where(
      and(
        inArray(sessionBlockAction.state, [...requested]),
        lte(sessionBlockAction.availableAt, now),
      ),
    )
    .orderBy(asc(sessionBlockAction.availableAt), asc(sessionBlockAction.id))
    .limit(limit)
    .for('update', { skipLocked: true })
  return db
    .update(sessionBlockAction)
    .set({ availableAt: leaseUntil, attempts: sql`${sessionBlockAction.attempts} + 1` })
    .where(sql`${sessionBlockAction.id} in ${due}`)
    .returning(columns)
}

export interface BlockOutcome {
  readonly publicId: string
  readonly state: BlockState
  readonly now: Date
  readonly availableAt?: Date
  readonly lastError?: string | null
  readonly attempts?: number
  readonly actor?: Actor
}

/** Moves an action to another state if it is still in one of these. False if not. */
export async function moveBlock(
  db: Database,
  from: readonly BlockState[],
  { publicId, state, now, availableAt = now, lastError = null, attempts, actor }: BlockOutcome,
): Promise<BlockAction | undefined> {
  const [moved] = await db
    .update(sessionBlockAction)
    .set({
      state,
      updatedAt: now,
      availableAt,
      lastError,
      ...(attempts !== undefined && { attempts }),
      ...(actor && { actorType: actor.type, actorId: actor.id }),
    })
    .where(
      and(eq(sessionBlockAction.publicId, publicId), inArray(sessionBlockAction.state, [...from])),
    )
    .returning(columns)
  return moved
}

/** The action that blocks a session, or is unblocking it. */
export async function findOpenBlock(
  db: Database,
  deviceSessionId: string,
): Promise<BlockAction | undefined> {
  const [found] = await db
    .select(columns)
    .from(sessionBlockAction)
    .where(
      and(
        eq(sessionBlockAction.deviceSessionId, deviceSessionId),
        inArray(sessionBlockAction.state, [...BLOCKED, 'unblock_requested']),
      ),
    )
  return found
}

export async function findBlock(db: Database, publicId: string): Promise<BlockAction | undefined> {
  const [found] = await db
    .select(columns)
    .from(sessionBlockAction)
    .where(eq(sessionBlockAction.publicId, publicId))
  return found
}

const LISTED_MAX = 100

export function listBlocksOf(db: Database, userId: string): Promise<BlockAction[]> {
  return db
    .select(columns)
    .from(sessionBlockAction)
    .where(eq(sessionBlockAction.userId, userId))
    .orderBy(desc(sessionBlockAction.id))
    .limit(LISTED_MAX)
}

interface BlocksPage {
  readonly state: BlockState | undefined
  /** The public id of the last row of the previous page. */
  readonly after: string | undefined
  readonly limit: number
}

/** Block actions of all users, newest first. */
export function listBlocks(
  db: Database,
  { state, after, limit }: BlocksPage,
): Promise<BlockAction[]> {
  return db
    .select(columns)
    .from(sessionBlockAction)
    .where(
      and(
        state && eq(sessionBlockAction.state, state),
        after === undefined ? undefined : lt(sessionBlockAction.publicId, after),
      ),
    )
    .orderBy(desc(sessionBlockAction.publicId))
    .limit(limit)
}
