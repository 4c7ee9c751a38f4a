import type { CreateChangeSet } from '@placard/contract/change-sets'
import { httpProblems } from '../../platform/http/problems.ts'
import type { Jobs } from '../../platform/jobs/job.ts'
import { Problem } from '../../platform/problem.ts'
import {
  type Actor,
  createRow,
  getRow,
  reviseRow,
  type Target,
  type Values,
} from '../../platform/resources/index.ts'
import { faultsIn, titleOf } from './edit.ts'
import { workChangeSetJob } from './jobs.ts'
import { planRows } from './plan.ts'
import { changeSetProblems } from './problems.ts'
import { changeSet } from './resources.ts'
import {
  deleteDraftsBeyond,
  insertSetRows,
  listPositions,
  lockUnfinished,
  type NewRow,
} from './store.ts'
import type { ThingDeps } from './things.ts'
import { openIn, workThrough } from './work.ts'

export interface ChangeSetDeps extends ThingDeps {
  /** Without a queue, every set is worked through at once. */
  readonly jobs?: Pick<Jobs, 'enqueue'> | undefined
}

/** A set with more rows is worked through by a job. */
const AT_ONCE_MAX = 100
const UNFINISHED_MAX = 5
const DRAFTS_MAX = 50

/** Plans a change for each selected row, and checks each by the rules, without changing anything. */
export async function draftChangeSet(
  deps: ChangeSetDeps,
  { body, actor }: { body: CreateChangeSet; actor: Actor },
): Promise<Values> {
  const faults = faultsIn(body.edit)
  if (faults.length > 0) {
    throw new Problem(httpProblems.invalidRequest, 'The edit is not clear.', faults)
  }
  const rows = await planRows(deps, { body, actor })
  return draftRows(deps, { title: titleOf(body.edit), rows, actor })
}

interface Drafting {
  readonly title: string
  readonly rows: readonly NewRow[]
  readonly actor: Actor
}

/** Keeps planned rows as a draft, and checks them. */
export async function draftRows(
  deps: ChangeSetDeps,
  { title, rows, actor }: Drafting,
): Promise<Values> {
  const { accountId, kind, id, name } = actor.principal
  const record = await deps.db.transaction(async (db) => {
    if ((await lockUnfinished(db, accountId)) >= UNFINISHED_MAX) {
      throw new Problem(changeSetProblems.othersFirst, `${UNFINISHED_MAX} are not finished.`)
    }
    await deleteDraftsBeyond(db, accountId, DRAFTS_MAX)
    const record = await createRow({ ...deps, db }, changeSet, {
      body: {},
      actor,
      extra: { title, authorKind: kind, authorId: id, authorName: name },
    })
    await insertSetRows(db, record['id'] as bigint, rows)
    await enqueueIfLong({ ...deps, db }, { record, rows: rows.length })
    return record
  })
  return proceed(deps, { record, actor, rows: rows.length })
}

/** Makes the changes of a draft. Rows that changed since the preview are refused. */
export const publishChangeSet = (deps: ChangeSetDeps, target: Target): Promise<Values> =>
  enter(deps, { ...target, action: 'publish', from: 'draft', to: 'publishing' })

/** Restores every row that nobody changed since. */
export const undoChangeSet = (deps: ChangeSetDeps, target: Target): Promise<Values> =>
  enter(deps, { ...target, action: 'undo', from: 'published', to: 'undoing' })

type Step = Target &
  (
    | { readonly action: 'publish'; readonly from: 'draft'; readonly to: 'publishing' }
    | { readonly action: 'undo'; readonly from: 'published'; readonly to: 'undoing' }
  )

/** Enters a working state. A repeated call continues what an earlier one began. */
async function enter(deps: ChangeSetDeps, step: Step): Promise<Values> {
  const { actor, action, from, to } = step
  let rows = 0
  const record = await deps.db.transaction(async (db) => {
    const record = await reviseRow({ ...deps, db }, changeSet, {
      ...step,
      revise({ state }) {
        if (state === to) return {}
        if (state !== from) throw new Problem(changeSetProblems.notNow, `It is ${String(state)}.`)
        const now = deps.clock.now()
        return { state: to, ...(action === 'publish' ? { publishedAt: now } : { undoneAt: now }) }
      },
    })
    const open = { changeSetId: record['id'] as bigint, outcome: openIn(to) }
    rows = (await listPositions(db, { ...open, limit: AT_ONCE_MAX + 1 })).length
    await enqueueIfLong({ ...deps, db }, { record, rows })
    return record
  })
  return proceed(deps, { record, actor, rows })
}

interface Begun {
  readonly record: Values
  readonly rows: number
}

async function enqueueIfLong(deps: ChangeSetDeps, { record, rows }: Begun): Promise<void> {
  if (rows <= AT_ONCE_MAX || deps.jobs === undefined) return
  const payload = { changeSetId: String(record['publicId']) }
  await deps.jobs.enqueue(deps.db, workChangeSetJob, { payload })
}

async function proceed(
  deps: ChangeSetDeps,
  { record, actor, rows }: Begun & { readonly actor: Actor },
): Promise<Values> {
  const publicId = String(record['publicId'])
  if (rows <= AT_ONCE_MAX || deps.jobs === undefined) {
    await workThrough(deps, { publicId, actor })
  }
  return getRow(deps.db, changeSet, { publicId, actor })
}
