import type { FOUND_KINDS } from '@placard/contract/search'
import type { Principal } from '../../platform/http/principal.ts'
import {
  listRows,
  type Resource,
  type ResourceDeps,
  type Values,
} from '../../platform/resources/index.ts'

/** Things of one kind that the search looks for. */
export interface Searchable {
  readonly kind: (typeof FOUND_KINDS)[number]
  readonly resource: Resource
  /** Field of its name, and the field that tells it from others. */
  readonly name: string
  readonly note: string
}

export type SearchDeps = Pick<ResourceDeps, 'db' | 'clock'> & {
  readonly searchables: readonly Searchable[]
}

interface Question {
  readonly search: string
  readonly limit: number
  readonly principal: Principal
}

/** A list asked without a word would answer with everything. */
const WORD = /[\p{L}\p{N}]/u

/** Things of every kind that the caller may read, the newest of each kind first. */
export async function findThings(deps: SearchDeps, { search, limit, principal }: Question) {
  if (!WORD.test(search)) return []
  const permitted = deps.searchables.filter(({ resource }) =>
    principal.permissions.has(`${resource.permission}:read`),
  )
  const found = await Promise.all(
    permitted.map(async ({ kind, resource, name, note }) => {
      // What it shows beside a row is not needed to find one.
      const { figures: _figures, ...plain } = resource
      const query = { search, limit }
      const { items } = await listRows(deps, plain, { query, scope: principal })
      return items.map((row) => ({
        kind,
        id: String(row['id']),
        name: textIn(row, name),
        note: textIn(row, note),
      }))
    }),
  )
  return found.flat()
}

function textIn(row: Values, field: string): string {
  const value = row[field]
  return typeof value === 'string' ? value : ''
}
