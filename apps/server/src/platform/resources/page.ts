import { Problem } from '../problem.ts'
import { httpProblems } from '../http/problems.ts'
import { isPlainText } from '../http/validation.ts'
import type { Values } from './codec.ts'

/** End of the previous page: the sorted value, and the public id that breaks ties. */
export interface Cursor {
  readonly value: unknown
  readonly publicId: string
}

export interface Sort {
  readonly field: string
  readonly descending: boolean
}

export interface Page {
  readonly limit: number
  readonly cursor: Cursor | undefined
  readonly sort: Sort
  readonly search: readonly string[] | undefined
  /** The search is the id of a row. */
  readonly searchedId: string | undefined
  readonly includeDeleted: boolean
  readonly filters: Values
}

const SEARCH_WORDS_MAX = 8
const LIMIT_DEFAULT = 50

/** Types of sorted columns by field; default: text. */
export type SortTypes = Readonly<Record<string, string | undefined>>

/** Reads a valid list query. Everything that is not about paging is a filter. */
export function pageFrom(query: Values, types: SortTypes = {}): Page {
  const { limit, cursor, sort, search, includeDeleted, ...filters } = query
  const isId = typeof search === 'string' && UUID.test(search.trim().toLowerCase())
  const order = sortFrom(typeof sort === 'string' ? sort : '-createdAt')
  return {
    limit: typeof limit === 'number' ? limit : LIMIT_DEFAULT,
    cursor: typeof cursor === 'string' ? cursorFrom(cursor, order, types[order.field]) : undefined,
    sort: order,
    search: typeof search === 'string' && !isId ? wordsOf(search) : undefined,
    searchedId: isId ? search.trim().toLowerCase() : undefined,
    includeDeleted: includeDeleted === true,
    filters,
  }
}

/** Public ids sort by creation time, so no second index is needed. */
function sortFrom(text: string): Sort {
  const descending = text.startsWith('-')
  const field = descending ? text.slice(1) : text
  return { field: field === 'createdAt' ? 'publicId' : field, descending }
}

function wordsOf(search: string): string[] | undefined {
  const words = search.toLowerCase().match(/[\p{L}\p{N}]+/gu)
  return words?.slice(0, SEARCH_WORDS_MAX)
}

/** Key under which a record carries the value of a computed order. */
export const ORDER_VALUE = 'value of the order'

/** A cursor names its sort, so that it cannot be used with another one by mistake. */
function cursorTo(record: Values, { field }: Sort): string {
  const value = record[ORDER_VALUE] ?? record[field]
  return Buffer.from(
    JSON.stringify([field, value instanceof Date ? value.toISOString() : value, record.publicId]),
  ).toString('base64url')
}

/** Cuts a page from a list that was read with one row more than the page holds. */
export function cutPage<Row extends object>(rows: readonly Row[], { limit, sort }: Page) {
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return { rows: rows.slice(0, limit), ...(last && { nextCursor: cursorTo(last as Values, sort) }) }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function cursorFrom(text: string, sort: Sort, type: string | undefined): Cursor {
  const [field, value, publicId] = parseArray(text)
  const isOurs = field === sort.field && canHold(type, value)
  if (!isOurs || typeof publicId !== 'string' || !UUID.test(publicId)) {
    throw new Problem(httpProblems.invalidRequest, 'The cursor does not belong to this list.', [
      { path: 'querystring/cursor', message: 'is not a nextCursor of this list' },
    ])
  }
  return { value, publicId }
}

const INTEGER_MAX = 2_147_483_647

/** Anybody can send a forged cursor: its value must be one that the database can compare. */
function canHold(type: string | undefined, value: unknown): boolean {
  if (type === 'number') return Number.isInteger(value) && Math.abs(value as number) <= INTEGER_MAX
  if (typeof value !== 'string') return false
  if (type === 'bigint')
    return /^-?\d{1,19}$/.test(value) && BigInt.asIntN(64, BigInt(value)) === BigInt(value)
  return type === 'date' ? isInstant(value) : isPlainText(value)
}

const isInstant = (text: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text))

function parseArray(text: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}
