import type { TObject } from 'typebox'
import type { Database } from '../database/connect.ts'
import type { Principal } from '../http/principal.ts'
import { decode, present, type Values } from './codec.ts'
import { Problem } from '../problem.ts'
import { httpProblems } from '../http/problems.ts'
import type { Actor, ProposalSummary, Resource, ResourceDeps } from './resource.ts'

/** Callers with this permission write the fields that others propose, and decide on proposals. */
const DECIDES = 'proposals:write'

const mayDecide = ({ permissions }: Pick<Principal, 'permissions'>): boolean =>
  permissions.has(DECIDES)

/** Fields that only some roles write, each with its condition if it has one. */
export function guardedIn({ properties }: TObject): ReadonlyMap<string, string | undefined> {
  const fields = Object.entries(properties as Record<string, Marked>)
  return new Map(
    fields
      .filter(([, schema]) => schema['x-written-by'])
      .map(([field, schema]) => [field, schema['x-written-by-when']]),
  )
}

interface Marked {
  readonly 'x-written-by'?: readonly string[]
  readonly 'x-written-by-when'?: string
}

interface Separated {
  /** Fields the caller may write. */
  readonly own: Values
  /** Fields it can only propose, as sent. */
  readonly held: Values
}

/** Separates what the caller may write from what it can only propose. `row` is undefined for a new one. */
export async function separate(
  db: Database,
  resource: Resource,
  { body, actor, row }: { body: Values; actor: Actor; row?: Values },
): Promise<Separated> {
  if (mayDecide(actor.principal)) return { own: body, held: {} }
  const held: Values = {}
  for (const [field, condition] of guardedIn(row ? resource.patch : resource.create)) {
    if (body[field] === undefined) continue
    if (condition !== undefined && !(row && (await resource.isGuarded?.(db, row, condition)))) {
      continue
    }
    held[field] = body[field]
  }
  const own = Object.fromEntries(Object.entries(body).filter(([field]) => !(field in held)))
  return { own, held }
}

/** Fields to leave out of a new row of this caller if it cannot propose them. */
export function heldBack(
  resource: Resource,
  { body, actor }: { body: Values; actor: Actor },
): readonly string[] {
  if (mayDecide(actor.principal)) return []
  const always = [...guardedIn(resource.create)].filter(([, condition]) => condition === undefined)
  return always.map(([field]) => field).filter((field) => body[field] !== undefined)
}

/** The held-back fields that would change the row. */
function differing(resource: Resource, row: Values, held: Values): Values {
  const shown = present(resource, row)
  const wanted = present(resource, { ...row, ...decode(resource, held) })
  return Object.fromEntries(
    Object.entries(held).filter(
      ([field, value]) =>
        JSON.stringify(field in resource.references ? value : wanted[field]) !==
        JSON.stringify(shown[field]),
    ),
  )
}

/** Key under which a record carries the proposal made by this request. */
export const PROPOSAL = 'proposal of this request'

/** The record with the proposal made from the held-back fields. */
export async function proposing(
  deps: ResourceDeps,
  resource: Resource,
  { record, held, actor }: { record: Values; held: Values; actor: Actor },
): Promise<Values> {
  const fields = differing(resource, record, held)
  const names = Object.keys(held)
  if (names.length === 0) return record
  if (deps.propose === undefined) throw new Problem(httpProblems.sellerWrites, names.join(', '))

  const note: ProposalSummary | undefined = await deps.propose(deps.db, {
    actor,
    resource,
    row: record,
    shown: present(resource, record),
    fields,
    sent: names,
  })
  return note ? { ...record, [PROPOSAL]: note } : record
}
