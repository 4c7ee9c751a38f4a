import type { RowOutcome } from '@placard/contract/change-sets'
import { DAY_MS } from '@placard/calendar'
import { httpProblems } from '../../platform/http/problems.ts'
import type { JobProgress } from '../../platform/jobs/job.ts'
import { Problem } from '../../platform/problem.ts'
import type { Actor } from '../../platform/resources/index.ts'
import { principalNow } from '../accounts/index.ts'
import {
  type ChangeSetRecord,
  type ChangeSetRow,
  deleteOldSets,
  endState,
  findSet,
  listPositions,
  lockSetRow,
  saveSetRow,
} from './store.ts'
import { type Changed, makeChange, takeBack, type ThingDeps } from './things.ts'

type Outcome = Partial<Omit<ChangeSetRow, 'changeSetId' | 'position'>>
export type WorkingState = 'checking' | 'publishing' | 'undoing'

interface Work {
  /** Rows with this outcome are still to be worked on. */
  readonly open: RowOutcome
  /** The state once all rows are done. */
  readonly next: ChangeSetRecord['state']
  readonly refused: RowOutcome
  /** False: the row is tried, and its change taken back. */
  readonly keeps: boolean
  readonly make: typeof takeBack
  outcome(changed: Changed): Outcome
}

const isSame = ({ after }: Changed) => Object.keys(after).length === 0

const WORK: Readonly<Record<WorkingState, Work>> = {
  checking: {
    open: 'waiting',
    next: 'draft',
    refused: 'refused',
    keeps: false,
    make: makeChange,
    outcome: (changed) => ({
      outcome: isSame(changed) ? 'unchanged' : 'ready',
      before: changed.before,
      after: changed.after,
    }),
  },
  publishing: {
    open: 'ready',
    next: 'published',
    refused: 'refused',
    keeps: true,
    make: makeChange,
    outcome: (changed) => ({ outcome: isSame(changed) ? 'unchanged' : 'changed', ...changed }),
  },
  undoing: {
    open: 'changed',
    next: 'undone',
    refused: 'kept',
    keeps: true,
    make: takeBack,
    outcome: () => ({ outcome: 'undone', reason: null }),
  },
}

/** The outcome of rows still to be worked on in this state. */
export const openIn = (state: WorkingState): RowOutcome => WORK[state].open

const isWorking = (state: string): state is WorkingState => state in WORK

interface WorkOptions {
  readonly publicId: string
  /** Default: the author, with today's permissions. */
  readonly actor?: Actor
  readonly signal?: AbortSignal
  progress?(progress: JobProgress): void
}

const ROUND_ROWS = 100

/** Works through the open rows of a set, each in a transaction of its own. Safe to repeat. */
export async function workThrough(deps: ThingDeps, options: WorkOptions): Promise<void> {
  const set = await findSet(deps.db, options.publicId)
  if (!set || !isWorking(set.state)) return
  const actor = options.actor ?? (await authorOf(deps, set))
  const { open, next } = WORK[set.state]
  const changeSetId = set.id
  for (let done = 0; ;) {
    const positions = await listPositions(deps.db, {
      changeSetId,
      outcome: open,
      limit: ROUND_ROWS,
    })
    if (positions.length === 0) break
    for (const position of positions) {
      options.signal?.throwIfAborted()
      await workOn(deps, { changeSetId, position, work: WORK[set.state], actor })
    }
    done += positions.length
    options.progress?.({ done, total: done + positions.length })
  }
  await endState(deps.db, { id: set.id, from: set.state, to: next, now: deps.clock.now() })
}

/** The author as of now. Undefined if they may not enter any more. */
async function authorOf(
  { db, clock }: ThingDeps,
  { authorKind, authorId, publicId }: ChangeSetRecord,
): Promise<Actor | undefined> {
  const principal = await principalNow(db, { kind: authorKind, id: authorId, now: clock.now() })
  if (!principal?.permissions.has('campaigns:write')) return undefined
  return { principal, requestId: publicId }
}

interface WorkedRow {
  readonly changeSetId: bigint
  readonly position: number
  readonly work: Work
  readonly actor: Actor | undefined
}

function workOn(deps: ThingDeps, worked: WorkedRow): Promise<void> {
  const { work, actor } = worked
  return deps.db.transaction(async (db) => {
    const row = await lockSetRow(db, { ...worked, outcome: work.open })
    if (!row) return
    await saveSetRow(db, worked, await attempt({ ...deps, db }, { row, work, actor }))
  })
}

/** Carries the result of a trial out of the transaction that it undoes. */
class Tried extends Error {
  readonly outcome: Outcome
  constructor(outcome: Outcome) {
    super('the trial is over')
    this.outcome = outcome
  }
}

async function attempt(
  deps: ThingDeps,
  { row, work, actor }: { row: ChangeSetRow; work: Work; actor: Actor | undefined },
): Promise<Outcome> {
  if (!actor) return { outcome: work.refused, reason: 'The author may no longer change campaigns.' }
  try {
    return await deps.db.transaction(async (db) => {
      const outcome = work.outcome(await work.make(refusing({ ...deps, db }), row, actor))
      if (!work.keeps) throw new Tried(outcome)
      return outcome
    })
  } catch (error) {
    if (error instanceof Tried) return error.outcome
    if (error instanceof Problem) return { outcome: work.refused, reason: sayRefusal(error) }
    throw error
  }
}

/** Nobody could decide on a proposal per row: without `propose`, the seller's fields are refused. */
const refusing = ({ db, clock, ids, random, audit, events }: ThingDeps): ThingDeps => ({
  db,
  clock,
  ids,
  random,
  audit,
  events,
})

function sayRefusal({ kind, message, faults }: Problem): string {
  if (kind.code === httpProblems.versionMismatch.code) return 'Somebody changed it since.'
  const detail = faults.length > 0 ? faults.map(({ message }) => message).join(', ') : message
  return `${kind.title}: ${detail}`
}

const DRAFT_DAYS = 7
const KEPT_DAYS = 90
const DELETED_MAX = 50

/** Deletes drafts that nobody published, and sets too old to undo. */
export async function forgetOldSets(
  { db, clock }: Pick<ThingDeps, 'db' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const before = (days: number) => new Date(clock.now().getTime() - days * DAY_MS)
  const ages = { drafts: before(DRAFT_DAYS), others: before(KEPT_DAYS), limit: DELETED_MAX }
  while (!signal.aborted && (await deleteOldSets(db, ages)) > 0);
}
