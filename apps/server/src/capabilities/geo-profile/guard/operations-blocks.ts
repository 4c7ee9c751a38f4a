import { jitteredBackoffMs } from '../../../platform/background/backoff.ts'
import { DAY_MS } from '@placard/calendar'
import type { Random } from '../../../platform/random.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { reasonOf, sqlErrorOf, UNIQUE_VIOLATION } from '../../../platform/database/failure.ts'
import { Problem } from '../../../platform/problem.ts'
import { listSwitches } from '../../../platform/switches/store.ts'
import type { GeoObserver } from '../ingest/observer.ts'
import { notifyInterested, type NotifyDeps } from '../../notices/index.ts'
import { personLink } from '../review/operations-review.ts'
import { type DecisionDeps, type Grounds, recordDecision } from '../review/operations-decisions.ts'
import { geoProblems } from '../problems.ts'
import { findDecisionOn } from '../review/store-decisions.ts'
import { type Actor, GEO_PROFILE, type SessionService } from './services.ts'
import {
  addBlockAction,
  type BlockAction,
  BLOCKED,
  claimBlocks,
  countBlocks,
  findBlock,
  findOpenBlock,
  moveBlock,
  type RequestedState,
} from './store-blocks.ts'
import type { Suspicion } from '../profile/suspicion.ts'
import type { BlockState } from '../tables.ts'
import { GEO_SWITCHES, type GeoModes, modesOf } from './switches.ts'

export interface FoundSuspicion {
  readonly userId: string
  readonly suspicion: Suspicion
}

interface FlagDeps extends NotifyDeps {
  readonly observer: GeoObserver
  readonly consoleUrl?: string | undefined
}

const BLOCKS_PER_DAY_MAX = 3

/** Records suspicions. The switches decide what is done about them. */
export async function flagSuspicions(
  deps: FlagDeps,
  found: ReadonlyMap<string, FoundSuspicion>,
  { blocking, notify }: GeoModes,
): Promise<void> {
  const { db, clock, ids, observer } = deps
  const now = clock.now()
  for (const { userId, suspicion } of found.values()) {
    const since = new Date(now.getTime() - DAY_MS)
    const isSpent =
      blocking === 'requested' && (await countBlocks(db, userId, since)) >= BLOCKS_PER_DAY_MAX
    const state = isSpent ? 'awaiting_review' : blocking
    const publicId = ids.next()
    const action = { publicId, userId, suspicion, state, actor: GEO_PROFILE, now }
    if (!(await addBlockAction(db, action))) continue
    observer.flagged(state)
    if (state === 'awaiting_review' && notify) await notifyOfWaiting(deps, action)
  }
}

/** Sends a notice with a link, in the transaction that flags a session for a person. */
async function notifyOfWaiting(
  deps: FlagDeps,
  { publicId, userId, suspicion }: FoundSuspicion & { readonly publicId: string },
): Promise<void> {
  const { target, against } = suspicion
  const link = personLink(deps, userId)
  await notifyInterested(deps, {
    topic: 'geo-session',
    key: `geo:session:${target.deviceSessionId}`,
    subject: 'A suspicious session waits for a decision',
    words:
      `A session of user ${userId} was in ${target.country} while another was in ${against.country}. ` +
      `It stays signed in until somebody blocks or dismisses it: ${link}`,
    data: {
      user_id: userId,
      device_session_id: target.deviceSessionId,
      block_action_id: publicId,
      observed_country: target.country,
      link,
    },
  })
}

export interface BlockDeps {
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
  readonly sessions: SessionService
  readonly observer: GeoObserver
}

const CLAIMED_AT_ONCE = 20
const LEASE_MS = 60_000
const ATTEMPTS_MAX = 6
const BACKOFF = { firstMs: 1_000, maxMs: 300_000, factor: 4 }

/** The state of a request that succeeded or failed for good. */
const ENDS: Readonly<
  Record<RequestedState, { readonly done: BlockState; readonly failed: BlockState }>
> = {
  requested: { done: 'succeeded', failed: 'failed' },
  unblock_requested: { done: 'unblocked', failed: 'unblock_failed' },
}

/** Sends due blocks and unblocks to Auth/Session, but no blocks while detection is off. */
export async function performBlocks(deps: BlockDeps): Promise<number> {
  const { db, clock } = deps
  const { detection } = modesOf(await listSwitches(db, GEO_SWITCHES))
  const requested: RequestedState[] = detection
    ? ['requested', 'unblock_requested']
    : ['unblock_requested']
  const now = clock.now()
  const leaseUntil = new Date(now.getTime() + LEASE_MS)
  const due = await claimBlocks(db, { requested, limit: CLAIMED_AT_ONCE, now, leaseUntil })
  for (const action of due) await perform(deps, action)
  return due.length
}

async function perform(deps: BlockDeps, action: BlockAction): Promise<void> {
  const { db, clock, observer } = deps
  const { publicId, deviceSessionId, userId } = action
  const requested = action.state as RequestedState
  try {
    await callService(deps, action)
  } catch (error) {
    return postpone(deps, { ...action, requested }, error)
  }
  await moveBlock(db, [requested], { publicId, state: ENDS[requested].done, now: clock.now() })
  observer.blocked(requested, 'succeeded', { deviceSessionId, userId })
}

/** A block is sent in the guard's name, an unblock in the name of the person who decided. */
async function callService({ db, sessions }: BlockDeps, action: BlockAction): Promise<void> {
  const { publicId, deviceSessionId, reasonCode, actorType, actorId } = action
  if (action.state === 'requested') {
    return sessions.blockSession({ deviceSessionId, reasonCode, actor: GEO_PROFILE })
  }
  const decision = await findDecisionOn(db, publicId)
  return sessions.unblockSession({
    deviceSessionId,
    reasonCode: decision?.reasonCode ?? reasonCode,
    actor: { type: actorType as Actor['type'], id: actorId },
  })
}

async function postpone(
  deps: BlockDeps,
  action: BlockAction & { readonly requested: RequestedState },
  error: unknown,
): Promise<void> {
  const { db, clock, random, observer } = deps
  const { publicId, attempts, deviceSessionId, userId, requested } = action
  const now = clock.now()
  const isOver = attempts >= ATTEMPTS_MAX
  const waitMs = jitteredBackoffMs(BACKOFF, attempts, random)
  await moveBlock(db, [requested], {
    publicId,
    state: isOver ? ENDS[requested].failed : requested,
    now,
    availableAt: new Date(now.getTime() + waitMs),
    lastError: reasonOf(error),
  })
  observer.blocked(requested, isOver ? 'failed' : 'retry', { deviceSessionId, userId })
}

type Verdict = 'block' | 'dismiss' | 'unblock'

interface BlockVerdict {
  readonly publicId: string
  readonly verdict: Verdict
  readonly grounds: Grounds
}

/** What a person may still decide: waiting, recorded and failed actions. */
const UNDECIDED: readonly BlockState[] = ['awaiting_review', 'skipped_shadow', 'failed']

interface Move {
  readonly from: readonly BlockState[]
  readonly to: BlockState
  /** States in which the decision already holds. */
  readonly holds: readonly BlockState[]
}

const MOVES: Readonly<Record<Verdict, Move>> = {
  block: { from: UNDECIDED, to: 'requested', holds: ['requested', 'succeeded'] },
  dismiss: { from: UNDECIDED, to: 'dismissed', holds: ['dismissed'] },
  unblock: { from: BLOCKED, to: 'unblock_requested', holds: ['unblock_requested', 'unblocked'] },
}

/** A person's decision about a suspicious session. Repeating it changes nothing. */
export async function decideBlock(
  deps: DecisionDeps,
  decision: BlockVerdict,
): Promise<BlockAction> {
  const moved = await moveOn(deps, decision).catch(orNewer)
  if (moved) return moved

  const { publicId, verdict } = decision
  const found = await findBlock(deps.db, publicId)
  if (!found) throw new Problem(geoProblems.blockActionNotFound, publicId)
  if (MOVES[verdict].holds.includes(found.state)) return found
  throw new Problem(geoProblems.blockActionDecided, `It is ${found.state}.`)
}

/** A failed action restarts with all its attempts. */
function moveOn(
  deps: DecisionDeps,
  { publicId, verdict, grounds }: BlockVerdict,
): Promise<BlockAction | undefined> {
  return deps.db.transaction(async (db) => {
    const { from, to } = MOVES[verdict]
    const action = await moveBlock(db, from, {
      publicId,
      state: to,
      attempts: 0,
      actor: grounds.actor,
      now: deps.clock.now(),
    })
    if (!action) return undefined
    const { userId } = action
    const subject = { userId, about: 'session', blockActionId: publicId, verdict } as const
    await recordDecision({ ...deps, db }, subject, grounds)
    return action
  })
}

/** Applies an unblock that happened elsewhere, in the same name. False: nothing was blocked here. */
export async function recordUnblocked(
  deps: DecisionDeps,
  { deviceSessionId, grounds }: { readonly deviceSessionId: string; readonly grounds: Grounds },
): Promise<boolean> {
  const standing = await findOpenBlock(deps.db, deviceSessionId)
  if (standing === undefined) return false
  const { publicId: blockActionId, userId } = standing
  await moveBlock(deps.db, [standing.state], {
    publicId: blockActionId,
    state: 'unblocked',
    actor: grounds.actor,
    now: deps.clock.now(),
  })
  const subject = { userId, about: 'session', blockActionId, verdict: 'unblock' } as const
  await recordDecision(deps, subject, grounds)
  return true
}

/** A session has one open action. A failed one may have been followed by another. */
function orNewer(error: unknown): never {
  if (sqlErrorOf(error)?.state !== UNIQUE_VIOLATION) throw error
  throw new Problem(geoProblems.blockActionDecided, 'A newer action for the same session exists.')
}
