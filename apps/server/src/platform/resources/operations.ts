import type { Database } from '../database/connect.ts'
import { httpProblems } from '../http/problems.ts'
import { Problem, type ProblemKind } from '../problem.ts'
import { decode, present, type Values } from './codec.ts'
import { proposing, separate } from './guarded.ts'
import { mergePatch } from './merge.ts'
import { cutPage, pageFrom } from './page.ts'
import type { Actor, ReadDeps, Resource, ResourceDeps } from './resource.ts'
import { listRecords, orderTypesOf } from './store-list.ts'
import {
  columnTypesOf,
  deleteRow,
  findRecord,
  findRecords,
  findReferenced,
  insertRow,
  lockRow,
  updateRow,
  type Scope,
} from './store.ts'

export interface Target {
  readonly publicId: string
  readonly actor: Actor
  /** From If-Match: the version the caller has seen. */
  readonly expectedVersion?: number | undefined
}

export async function getRow(
  db: Database,
  resource: Resource,
  target: { readonly publicId: string; readonly actor: { readonly principal: Scope } },
) {
  const { publicId, actor } = target
  const record = await findRecord(db, resource, { publicId, scope: actor.principal })
  if (!record) throw notFound(resource, publicId)
  return record
}

/** Keys of a row that the caller may read. Throws the resource's Problem otherwise. */
export async function getIds(
  db: Database,
  resource: Resource,
  { publicId, principal }: { readonly publicId: string; readonly principal: Scope },
): Promise<RowIds> {
  const { id, accountId } = await getRow(db, resource, { publicId, actor: { principal } })
  return { id: bigintOf(id), accountId: bigintOf(accountId), publicId }
}

export interface RowIds {
  readonly id: bigint
  readonly accountId: bigint
  readonly publicId: string
}

function bigintOf(value: unknown): bigint {
  if (typeof value !== 'bigint') throw new Error(`${String(value)} is not a key`)
  return value
}

export async function listRows(
  deps: ReadDeps,
  resource: Resource,
  { query, scope }: { query: Values; scope: Scope },
) {
  const page = pageFrom(query, { ...columnTypesOf(resource.table), ...orderTypesOf(resource) })
  const records = await listRecords(deps.db, resource, { ...page, scope, now: deps.clock.now() })
  const { rows, ...next } = cutPage(records, page)
  const shown = await withFigures(deps, resource, rows)
  return { items: shown.map((row) => present(resource, row)), ...next }
}

/** Rows by their ids as the API shows them. Leaves out deleted rows, and those the caller may not see. */
export async function listRowsById(
  db: Database,
  resource: Resource,
  { publicIds, scope }: { publicIds: readonly string[]; scope: Scope },
): Promise<readonly Values[]> {
  const records = await findRecords(db, resource, { publicIds, scope })
  return records.map((record) => present(resource, record))
}

/** A record as answers show it, with its figures. */
export async function showRow(deps: ReadDeps, resource: Resource, record: Values): Promise<Values> {
  const [shown] = await withFigures(deps, resource, [record])
  return present(resource, shown!)
}

/** The records with the figures that answers show beside them. */
export async function withFigures(
  deps: ReadDeps,
  { figures }: Resource,
  records: readonly Values[],
): Promise<readonly Values[]> {
  if (figures === undefined || records.length === 0) return records
  const read = await figures.read(
    deps,
    records.map(({ id }) => bigintOf(id)),
  )
  return records.map((record) => ({ ...record, ...read.get(bigintOf(record.id)) }))
}

/** Creates a row and returns it as later reads will show it. */
export async function createRow(
  deps: ResourceDeps,
  resource: Resource,
  { body, actor, extra = {} }: { body: Values; actor: Actor; extra?: Values },
): Promise<Values> {
  await resource.lockParents?.(deps.db, { body })
  const { own, held } = await separate(deps.db, resource, { body, actor })
  const named = await resolveReferences(deps.db, resource, { body: own, actor })
  const row = { ...newRow(deps, resource, { body: own, actor, named }), ...extra }
  const added = await judge(deps, resource, { row, before: undefined })

  const after = await refusingTwins(resource, () =>
    insertRow(deps.db, resource.table, { ...row, ...added }),
  )
  const record = await finish(deps, resource, { action: 'create', actor, before: undefined, after })
  return proposing(deps, resource, { record, held, actor })
}

/** Rows that a body names: their keys by field, and the account that follows from them. */
interface Named {
  readonly values: Values
  readonly accountId: bigint | undefined
}

/** The row that a valid body describes, before any rule was asked. */
export function newRow(
  { clock, ids }: ResourceDeps,
  resource: Resource,
  { body, actor, named }: { body: Values; actor: Actor; named: Named },
): Values {
  const now = clock.now()
  return {
    ...defaultsOf(resource),
    publicId: ids.next(),
    ...decode(resource, body),
    ...named.values,
    createdAt: now,
    updatedAt: now,
    ...(resource.table.accountId && { accountId: named.accountId ?? actor.principal.accountId }),
    ...(resource.table.createdBy && { createdBy: actor.principal.userId ?? null }),
  }
}

/** Asks the rules of a resource about a row. Returns the fields they add. */
async function judge(
  { db, clock }: ResourceDeps,
  resource: Resource,
  { row, before }: { row: Values; before: Values | undefined },
): Promise<Values> {
  const facts = { now: clock.now(), before }
  const added = (await resource.complete?.(db, row, facts)) ?? {}
  resource.check?.({ ...row, ...added }, facts)
  return added
}

export interface Revision extends Target {
  /** The action in the audit log: `update`, `activate`, … */
  readonly action: string
  /** The body of a patch, which may name parent rows. */
  readonly body?: Values
  /** Decides what to change; runs with the row locked. */
  revise(row: Values): Values | Promise<Values>
}

/** Changes a row: lock, compare versions, ask the rule, save, audit. No change, no trace. */
export async function reviseRow(
  deps: ResourceDeps,
  resource: Resource,
  revision: Revision,
): Promise<Values> {
  const before = await lockRecord(deps.db, resource, revision)
  if (before.deletedAt) throw notFound(resource, revision.publicId)

  const changes = await revision.revise(before)
  if (Object.keys(changes).length === 0) return before
  return save(deps, resource, { ...revision, before, changes })
}

/** Applies a patch. Fields that the caller cannot write become a proposal. */
export async function patchRow(
  deps: ResourceDeps,
  resource: Resource,
  patch: Target & { body: Values },
) {
  const { actor } = patch
  let held: Values = {}
  const record = await reviseRow(deps, resource, {
    ...patch,
    action: 'update',
    async revise(row) {
      const separated = await separate(deps.db, resource, { ...patch, row })
      held = separated.held
      const { own: body } = separated
      return {
        ...mergePatch(resource.patch, { row, changes: decode(resource, body) }),
        ...(await resolveReferences(deps.db, resource, { body, actor })).values,
      }
    },
  })
  return proposing(deps, resource, { record, held, actor })
}

/** Soft delete if the table can restore rows, outright if not. Audited either way. */
export async function removeRow(deps: ResourceDeps, resource: Resource, target: Target) {
  const before = await lockRecord(deps.db, resource, target)
  const { alreadyDeleted = resource.problems.notFound } = resource.problems
  if (before.deletedAt) throw new Problem(alreadyDeleted, target.publicId)
  await resource.beforeDelete?.(deps.db, before)

  if (resource.table.deletedAt) {
    const changes = { deletedAt: deps.clock.now() }
    await write(deps, resource, { ...target, action: 'delete', before, changes })
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

/** Locks the row and its parents in the order in which every change does. Returns the row. */
export async function lockRecord(
  db: Database,
  resource: Resource,
  target: Target & { readonly body?: Values },
): Promise<Values> {
  await resource.lockParents?.(db, target)
  const key = { publicId: target.publicId, scope: target.actor.principal }
  if (!(await lockRow(db, resource, key))) throw notFound(resource, target.publicId)

  const record = await getRow(db, resource, target)
  refuseStale(record, target)
  return record
}

/** Throws if the caller has seen another version than the current one. */
export function refuseStale(
  { version }: { readonly version?: unknown },
  { expectedVersion }: Pick<Target, 'expectedVersion'>,
): void {
  if (expectedVersion === undefined || expectedVersion === version) return
  throw new Problem(
    httpProblems.versionMismatch,
    `You have version ${expectedVersion}, the row is at ${String(version)}: read it again.`,
  )
}

interface Saving {
  readonly action: string
  readonly actor: Actor
  readonly before: Values
  readonly changes: Values
}

async function save(deps: ResourceDeps, resource: Resource, saving: Saving): Promise<Values> {
  const { before, changes } = saving
  const added = await judge(deps, resource, { row: { ...before, ...changes }, before })
  return write(deps, resource, { ...saving, changes: { ...changes, ...added } })
}

async function write(deps: ResourceDeps, resource: Resource, saving: Saving): Promise<Values> {
  const { before, changes } = saving
  const updatedAt = deps.clock.now()
  const after = await refusingTwins(resource, () =>
    updateRow(deps.db, resource.table, { id: before.id, changes: { ...changes, updatedAt } }),
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

/** Turns public ids in a body into keys. The caller must be allowed to see each row. */
export async function resolveReferences(
  db: Database,
  resource: Resource,
  { body, actor }: { body: Values; actor: Actor },
): Promise<Named> {
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

/** Defaults of columns that a body leaves out, for the rules. */
function defaultsOf({ table }: Resource): Values {
  const defaults: Values = {}
  for (const [field, column] of Object.entries(columnsOf(table))) {
    if (isPlain(column.default)) defaults[field] = column.default
  }
  return defaults
}

/** SQL defaults are computed by the database. */
const isPlain = (value: unknown) =>
  value !== undefined && (typeof value !== 'object' || Array.isArray(value))

const columnsOf = (table: Resource['table']) =>
  table as unknown as Record<string, { readonly default?: unknown }>

/** A unique index detects duplicates; here its error gets a name. */
async function refusingTwins<Result>(
  resource: Resource,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const kind = duplicateProblem(resource, error)
    throw kind ? new Problem(kind, kind.title) : error
  }
}

function duplicateProblem({ uniques = {} }: Resource, error: unknown): ProblemKind | undefined {
  const { constraint, cause } = error as { constraint?: string; cause?: { constraint?: string } }
  return uniques[constraint ?? cause?.constraint ?? '']
}
