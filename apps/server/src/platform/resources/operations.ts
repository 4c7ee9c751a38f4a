import type { Database } from '../database/connect.ts'
import { httpProblems } from '../http/problems.ts'
import { Problem, type ProblemKind } from '../problem.ts'
import { decode, present, type Values } from './codec.ts'
import { cursorTo, pageFrom } from './page.ts'
import type { Actor, Resource, ResourceDeps } from './resource.ts'
import {
  deleteRow,
  findRecord,
  findReferenced,
  insertRow,
  listRecords,
  lockRow,
  updateRow,
  type Scope,
} from './store.ts'

export interface Target {
  readonly publicId: string
  readonly actor: Actor
  /** From If-Match: the version that the caller has seen. */
  readonly expectedVersion?: number | undefined
}

export async function getRow(
  db: Database,
  resource: Resource,
  target: Omit<Target, 'expectedVersion'>,
) {
  const { publicId, actor } = target
  const record = await findRecord(db, resource, { publicId, scope: actor.principal })
  if (!record) throw notFound(resource, publicId)
  return record
}

export async function listRows(
  db: Database,
  resource: Resource,
  { query, scope }: { query: Values; scope: Scope },
) {
  const page = pageFrom(query)
  const records = await listRecords(db, resource, { ...page, scope })
  const items = records.slice(0, page.limit).map((record) => present(resource, record))
  const last = records.length > page.limit ? records[page.limit - 1] : undefined
  return { items, ...(last && { nextCursor: cursorTo(last, page.sort) }) }
}

/** Makes a row; returns it as it can be read from now on. */
export async function createRow(
  deps: ResourceDeps,
  resource: Resource,
  { body, actor, extra = {} }: { body: Values; actor: Actor; extra?: Values },
): Promise<Values> {
  const { db, clock, ids } = deps
  const now = clock.now()
  const named = await resolveReferences(db, resource, { body, actor })
  const row: Values = {
    ...defaultsOf(resource),
    publicId: ids.next(),
    ...decode(resource, body),
    ...named.values,
    ...extra,
    createdAt: now,
    updatedAt: now,
    ...(resource.table.accountId && { accountId: named.accountId ?? actor.principal.accountId }),
    ...(resource.table.createdBy && { createdBy: actor.principal.userId ?? null }),
  }
  Object.assign(row, resource.derive?.(row, { now, before: undefined }))
  resource.check?.(row, { now, before: undefined })

  const after = await refusingTwins(resource, () => insertRow(db, resource.table, row))
  return finish(deps, resource, { action: 'create', actor, before: undefined, after })
}

export interface Revision extends Target {
  /** What happened, for the audit log: `update`, `activate`, … */
  readonly action: string
  /** Asks the rule what to change; runs with the row locked. */
  revise(row: Values): Values | Promise<Values>
}

/** Changes a row: lock, compare versions, ask the rule, save, write the audit entry. */
export async function reviseRow(
  deps: ResourceDeps,
  resource: Resource,
  revision: Revision,
): Promise<Values> {
  const before = await lockRecord(deps.db, resource, revision)
  if (before.deletedAt) throw notFound(resource, revision.publicId)
  return save(deps, resource, { ...revision, before, changes: await revision.revise(before) })
}

/** Applies the fields of a patch. */
export function patchRow(deps: ResourceDeps, resource: Resource, patch: Target & { body: Values }) {
  return reviseRow(deps, resource, {
    ...patch,
    action: 'update',
    revise: async () => ({
      ...decode(resource, patch.body),
      ...(await resolveReferences(deps.db, resource, patch)).values,
    }),
  })
}

/** Soft where the table can be restored, outright where it cannot; audited either way. */
export async function removeRow(deps: ResourceDeps, resource: Resource, target: Target) {
  const before = await lockRecord(deps.db, resource, target)
  const { alreadyDeleted = resource.problems.notFound } = resource.problems
  if (before.deletedAt) throw new Problem(alreadyDeleted, target.publicId)
  await resource.beforeDelete?.(deps.db, before)

  if (resource.table.deletedAt) {
    const changes = { deletedAt: deps.clock.now() }
    await save(deps, resource, { ...target, action: 'delete', before, changes })
    return
  }
  await deleteRow(deps.db, resource.table, before.id)
  await audit(deps, resource, { action: 'delete', actor: target.actor, before, after: undefined })
}

export async function restoreRow(deps: ResourceDeps, resource: Resource, target: Target) {
  const before = await lockRecord(deps.db, resource, target)
  const { notDeleted = resource.problems.notFound } = resource.problems
  if (!before.deletedAt) throw new Problem(notDeleted, target.publicId)
  return save(deps, resource, {
    ...target,
    action: 'restore',
    before,
    changes: { deletedAt: null },
  })
}

async function lockRecord(db: Database, resource: Resource, target: Target): Promise<Values> {
  const key = { publicId: target.publicId, scope: target.actor.principal }
  if (!(await lockRow(db, resource, key))) throw notFound(resource, target.publicId)

  const record = await getRow(db, resource, target)
  const { expectedVersion } = target
  if (expectedVersion !== undefined && expectedVersion !== record.version) {
    throw new Problem(
      httpProblems.versionMismatch,
      `You have version ${expectedVersion}, the row is at ${String(record.version)}: read it again.`,
    )
  }
  return record
}

interface Saving {
  readonly action: string
  readonly actor: Actor
  readonly before: Values
  readonly changes: Values
}

async function save(deps: ResourceDeps, resource: Resource, saving: Saving): Promise<Values> {
  const { before } = saving
  const now = deps.clock.now()
  const row = { ...before, ...saving.changes }
  const changes = { ...saving.changes, ...resource.derive?.(row, { now, before }), updatedAt: now }
  resource.check?.({ ...row, ...changes }, { now, before })

  const after = await refusingTwins(resource, () =>
    updateRow(deps.db, resource.table, { id: before.id, changes }),
  )
  return finish(deps, resource, { ...saving, after })
}

interface Done {
  readonly action: string
  readonly actor: Actor
  readonly before: Values | undefined
  readonly after: Values
}

async function finish(deps: ResourceDeps, resource: Resource, done: Done): Promise<Values> {
  await resource.afterChange?.(deps.db, done, deps)
  const publicId = String(done.after.publicId)
  const record = await getRow(deps.db, resource, { publicId, actor: done.actor })
  await audit(deps, resource, { ...done, after: record })
  return record
}

function audit(
  deps: ResourceDeps,
  resource: Resource,
  { action, actor, before, after }: Omit<Done, 'after'> & { after: Values | undefined },
): Promise<void> {
  const record = (after ?? before)!
  return deps.audit(deps.db, {
    actor,
    accountId: (record.accountId as bigint | undefined) ?? null,
    action: `${resource.noun.replaceAll(' ', '-')}.${action}`,
    entity: resource.noun,
    entityId: String(record.publicId),
    ...(before && { before: present(resource, before) }),
    ...(after && { after: present(resource, after) }),
  })
}

/** Turns the public ids of a body into keys, each only if the caller may see the row it names. */
export async function resolveReferences(
  db: Database,
  resource: Resource,
  { body, actor }: { body: Values; actor: Actor },
): Promise<{ values: Values; accountId: bigint | undefined }> {
  const values: Values = {}
  let accountId: bigint | undefined
  for (const [field, reference] of Object.entries(resource.references)) {
    const named = body[field]
    if (named === null) values[field] = null
    if (typeof named !== 'string') continue

    const scope = reference.acrossAccounts ? EVERYWHERE : actor.principal
    const row = await findReferenced(db, reference.to, { publicId: named, scope })
    if (!row) throw new Problem(reference.problem, `${field} ${named}`)
    values[field] = row.id
    if (reference.givesAccount) accountId = row.accountId ?? undefined
  }
  return { values, accountId }
}

const EVERYWHERE: Scope = { isPlatform: true, accountId: 0n }

const notFound = (resource: Resource, publicId: string) =>
  new Problem(resource.problems.notFound, `${resource.noun} ${publicId}`)

/** Columns that a body leaves out, as the rules should see them. */
function defaultsOf({ table }: Resource): Values {
  const defaults: Values = {}
  for (const [field, column] of Object.entries(columnsOf(table))) {
    if (column.default !== undefined && typeof column.default !== 'object') {
      defaults[field] = column.default
    }
  }
  return defaults
}

const columnsOf = (table: Resource['table']) =>
  table as unknown as Record<string, { readonly default?: unknown }>

/** A unique index is the judge of twins; here its refusal gets a name. */
async function refusingTwins<Result>(
  resource: Resource,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const kind = twinProblem(resource, error)
    throw kind ? new Problem(kind, kind.title) : error
  }
}

function twinProblem({ uniques = {} }: Resource, error: unknown): ProblemKind | undefined {
  const { constraint, cause } = error as { constraint?: string; cause?: { constraint?: string } }
  return uniques[constraint ?? cause?.constraint ?? '']
}
