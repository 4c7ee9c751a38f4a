import { jitteredBackoffMs } from '../../../platform/background/backoff.ts'
import { DAY_MS } from '@placard/calendar'
import type { Random } from '../../../platform/random.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { reasonOf, sqlErrorOf, UNIQUE_VIOLATION } from '../../../platform/database/failure.ts'
import type { Ids } from '../../../platform/ids.ts'
import { Problem } from '../../../platform/problem.ts'
import { listSwitches } from '../../../platform/switches/store.ts'
import type { GeoObserver } from '../ingest/observer.ts'
import { type DecisionDeps, type Grounds, recordDecision } from '../review/operations-decisions.ts'
import { geoProblems } from '../problems.ts'
import { GEO_PROFILE, type SessionService } from './services.ts'
import {
  addBlockAction,
  type BlockAction,
  claimBlocks,
  countBlocks,
  findBlock,
  moveBlock,
} from './store-blocks.ts'
import type { Suspicion } from '../profile/suspicion.ts'
import type { BlockState } from '../tables.ts'
import { GEO_SWITCHES, type GeoModes, modesOf } from './switches.ts'

export interface FoundSuspicion {
  readonly userId: string
  readonly suspicion: Suspicion
}

interface FlagDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly observer: GeoObserver
}

const BLOCKS_PER_DAY_MAX = 3

/** Writes down what is suspicious; whether anything is done about it is a matter of the switches. */
export async function flagSuspicions(
  { db, clock, ids, observer }: FlagDeps,
  found: ReadonlyMap<string, FoundSuspicion>,
  { blocking }: GeoModes,
): Promise<void> {
  const now = clock.now()
  for (const { userId, suspicion } of found.values()) {
    const since = new Date(now.getTime() - DAY_MS)
    const isSpent =
      blocking === 'requested' && (await countBlocks(db, userId, since)) >= BLOCKS_PER_DAY_MAX
    const state = isSpent ? 'awaiting_review' : blocking
    const publicId = ids.next()
    const action = { publicId, userId, suspicion, state, actor: GEO_PROFILE, now }
    if (await addBlockAction(db, action)) observer.flagged(state)
  }
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

/** Asks Auth/Session to block what is due. While detection is switched off, nothing is. */
export async function performBlocks(deps: BlockDeps): Promise<number> {
  const { db, clock } = deps
  const { detection } = modesOf(await listSwitches(db, GEO_SWITCHES))
  if (!detection) return 0
  const now = clock.now()
  const leaseUntil = new Date(now.getTime() + LEASE_MS)
  const due = await claimBlocks(db, { limit: CLAIMED_AT_ONCE, now, leaseUntil })
  for (const action of due) await performBlock(deps, action)
  return due.length
}

async function performBlock(deps: BlockDeps, action: BlockAction): Promise<void> {
  const { db, clock, sessions, observer } = deps
  const { publicId, deviceSessionId, reasonCode } = action
  try {
    await sessions.blockSession({ deviceSessionId, reasonCode, actor: GEO_PROFILE })
  } catch (error) {
    return postpone(deps, action, error)
  }
  await moveBlock(db, ['requested'], { publicId, state: 'succeeded', now: clock.now() })
  observer.blocked('succeeded', { deviceSessionId, userId: action.userId })
}

async function postpone(deps: BlockDeps, action: BlockAction, error: unknown): Promise<void> {
  const { db, clock, random, observer } = deps
  const { publicId, attempts, deviceSessionId, userId } = action
  const now = clock.now()
  const isOver = attempts >= ATTEMPTS_MAX
  const waitMs = jitteredBackoffMs(BACKOFF, attempts, random)
  await moveBlock(db, ['requested'], {
    publicId,
    state: isOver ? 'failed' : 'requested',
    now,
    availableAt: new Date(now.getTime() + waitMs),
    lastError: reasonOf(error),
  })
  observer.blocked(isOver ? 'failed' : 'retry', { deviceSessionId, userId })
}

interface BlockVerdict {
  readonly publicId: string
  readonly verdict: 'block' | 'dismiss'
  readonly grounds: Grounds
}

/** What a person may still decide: what waits, what was only written down, and what failed. */
const UNDECIDED: readonly BlockState[] = ['awaiting_review', 'skipped_shadow', 'failed']

/** A person's word on a suspicious session. Saying it again changes nothing. */
export async function decideBlock(
  deps: DecisionDeps,
  decision: BlockVerdict,
): Promise<BlockAction> {
  const moved = await moveOn(deps, decision).catch(orNewer)
  if (moved) return moved

  const { publicId, verdict } = decision
  const found = await findBlock(deps.db, publicId)
  if (!found) throw new Problem(geoProblems.blockActionNotFound, publicId)
  const isDone = verdict === 'block' ? found.state !== 'dismissed' : found.state === 'dismissed'
  if (isDone) return found
  throw new Problem(geoProblems.blockActionDecided, `It is ${found.state}.`)
}

/** A block that failed starts anew, with all its attempts. */
function moveOn(
  deps: DecisionDeps,
  { publicId, verdict, grounds }: BlockVerdict,
): Promise<BlockAction | undefined> {
  return deps.db.transaction(async (db) => {
    const action = await moveBlock(db, UNDECIDED, {
      publicId,
      state: verdict === 'block' ? 'requested' : 'dismissed',
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

/** Only one action of a session may stand; one that failed may have been followed by another. */
function orNewer(error: unknown): never {
  if (sqlErrorOf(error)?.state !== UNIQUE_VIOLATION) throw error
  throw new Problem(geoProblems.blockActionDecided, 'A newer one of the same session stands.')
}
