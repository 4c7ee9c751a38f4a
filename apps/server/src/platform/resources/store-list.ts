import { and, asc, desc, eq, isNull, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Database } from '../database/connect.ts'
import type { Values } from './codec.ts'
import { type Cursor, ORDER_VALUE, type Page, type Sort, type SortTypes } from './page.ts'
import type { Order, Resource, ResourceTable } from './resource.ts'
import { columnOf, readableBy, selectRecords, type Scope } from './store.ts'

type ListPage = Page & { readonly scope: Scope; readonly now: Date }

/** Reads one row more than the page holds, to know whether there is another page. */
export async function listRecords(
  db: Database,
  resource: Resource,
  page: ListPage,
): Promise<Values[]> {
  const { table } = resource
  const filters = await resolveFilters(db, resource, page.filters)
  if (!filters) return []
  const all = and(
    readableBy(resource, page.scope),
    table.deletedAt && !page.includeDeleted ? isNull(table.deletedAt) : undefined,
    page.searchedId === undefined ? undefined : eq(table.publicId, page.searchedId),
    ...filters,
  )
  const order = resource.orders?.[page.sort.field]
  if (order) return listOrdered(db, resource, { page, order, where: all })
  const where = and(page.cursor && after(table, page as Page & { cursor: Cursor }), all)
  const hits = page.search && (await findHits(db, resource, { where, page, words: page.search }))

  return selectRecords(db, resource)
    .where(hits ? isOneOf(table.id, hits) : where)
    .orderBy(...orderOf(table, page.sort))
    .limit(page.limit + 1)
}

/** The public id breaks ties, so that pages never overlap. */
function sortedBy(table: ResourceTable, { field }: Sort): PgColumn[] {
  const column = columnOf(table, field)
  return column === table.publicId ? [column] : [column, table.publicId]
}

const orderOf = (table: ResourceTable, sort: Sort): SQL[] =>
  sortedBy(table, sort).map((column) => (sort.descending ? desc(column) : asc(column)))

/**
 * The conditions of the filters; undefined if one names a row that does not exist. Names are looked up
 * first: the planner estimates an advertiser's rows only by key.
 */
async function resolveFilters(
  db: Database,
  { table, references, filters: further = {} }: Resource,
  filters: Values,
): Promise<SQL[] | undefined> {
  const conditions: SQL[] = []
  for (const [field, value] of Object.entries(filters)) {
    const condition = further[field]?.(value)
    if (condition) {
      conditions.push(condition)
      continue
    }
    const column = columnOf(table, field)
    const target = references[field]?.to
    const wanted = target ? await findKey(db, target, String(value)) : value
    if (wanted === undefined) return undefined
    conditions.push(
      column.columnType === 'PgArray' ? sql`${column} @> array[${wanted}]` : eq(column, wanted),
    )
  }
  return conditions
}

async function findKey(db: Database, table: ResourceTable, publicId: string) {
  const rows: { id: unknown }[] = await db
    .select({ id: table.id })
    .from(table as never)
    .where(eq(table.publicId, publicId))
  return rows[0]?.id
}

function searchIn(resource: Resource, words: readonly string[]): SQL {
  const { table, searches = [], searchesFurther } = resource
  const columns = searches.map((field) => sql`${columnOf(table, field)}`)
  const text = sql.join(columns, sql` || ' ' || `)
  const holds = (query: string) =>
    sql`to_tsvector('simple', ${text}) @@ to_tsquery('simple', ${query})`
  if (!searchesFurther) return holds(words.map((word) => `${word}:*`).join(' & '))
  const conditions = words.map((word) => sql`(${holds(`${word}:*`)} or ${searchesFurther(word)})`)
  return sql.join(conditions, sql` and `)
}

interface OrderedList {
  readonly page: ListPage
  readonly order: Order
  readonly where: SQL | undefined
}

const SQL_TYPES = { bigint: sql`bigint`, date: sql`timestamptz`, text: sql`text` }

/** Beyond every value, so that rows without one come last in either direction. */
const LAST = {
  bigint: { ascending: '4611686018427387904', descending: '-4611686018427387904' },
  date: { ascending: '9999-12-31T00:00:00Z', descending: '0001-01-01T00:00:00Z' },
  text: { ascending: '\u{10fffd}', descending: '' },
}

const asText = (type: Order['type'], value: SQL): SQL =>
  type === 'date'
    ? sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : sql`${value}::text`

/** Infinite instants have no text that a cursor could hold. */
const withinDates = (value: SQL): SQL =>
  sql`least(greatest(${value}, ${LAST.date.descending}::timestamptz), ${LAST.date.ascending}::timestamptz)`

/** A page in a computed order: its keys first, then their rows. */
async function listOrdered(
  db: Database,
  resource: Resource,
  { page, order, where }: OrderedList,
): Promise<Values[]> {
  const { table } = resource
  const { value, joins = sql`` } = order.read(page.now)
  const type = SQL_TYPES[order.type]
  const last = LAST[order.type][page.sort.descending ? 'descending' : 'ascending']
  const present = sql`coalesce(${value}, ${last}::${type})`
  const sorted = order.type === 'date' ? withinDates(present) : present
  const direction = page.sort.descending ? sql`desc` : sql`asc`
  const than = page.sort.descending ? sql`<` : sql`>`
  const { cursor } = page
  const conditions = and(
    where,
    page.search && searchIn(resource, page.search),
    cursor &&
      sql`(${sorted}, ${table.publicId}) ${than} (${cursor.value}::${type}, ${cursor.publicId}::uuid)`,
  )
  const { rows } = await db.execute<{ id: string; value: string }>(sql`
    select ${table.id} as id, ${asText(order.type, sorted)} as value
      from ${table} ${joins} where ${conditions ?? sql`true`}
     order by ${sorted} ${direction}, ${table.publicId} ${direction} limit ${page.limit + 1}`)
  const places = new Map(rows.map(({ id, value }, place) => [id, { place, value }]))
  const found: Values[] = await selectRecords(db, resource).where(
    isOneOf(
      table.id,
      rows.map(({ id }) => BigInt(id)),
    ),
  )
  const placeOf = (record: Values) => places.get(String(record.id))!
  return found
    .toSorted((one, other) => placeOf(one).place - placeOf(other).place)

    .map((record: Values) => ({ ...record, [ORDER_VALUE]: placeOf(record).value }))
}

export const orderTypesOf = ({ orders = {} }: Resource): SortTypes =>
  Object.fromEntries(Object.entries(orders).map(([field, { type }]) => [field, type]))

const NEAR_ROWS = 1_000

interface Search {
  readonly where: SQL | undefined
  readonly page: Page
  readonly words: readonly string[]
}

/**
 * Keys of the first hits, in list order. A common word turns up early in the list; a rare one is found
 * faster in the word index, which is used only if the first way did not fill the page. The planner cannot
 * choose: it takes every word for fairly common.
 */
async function findHits(db: Database, resource: Resource, { where, page, words }: Search) {
  const { table } = resource
  const matches = searchIn(resource, words)
  const order = sql.join(orderOf(table, page.sort), sql`, `)
  const columns = sql.join([table.id, ...sortedBy(table, page.sort)], sql`, `)
  const wanted = page.limit + 1
  const { rows } = await db.execute<{ id: string }>(sql`
    with near as materialized (
      select ${table.id} from (
        select * from ${table} where ${where ?? sql`true`} order by ${order} limit ${NEAR_ROWS}
      ) as ${table} where ${matches} order by ${order} limit ${wanted}
    ), far as materialized (
      select ${columns} from ${table}
      where ${and(matches, where)} and (select count(*) from near) < ${wanted}
    )
    select id from near
    union (select ${table.id} from far as ${table} order by ${order} limit ${wanted})`)
  return rows.map(({ id }) => BigInt(id))
}

/** One parameter for any number of keys. */
const isOneOf = (column: PgColumn, keys: readonly bigint[]) =>
  sql`${column} = any (${sql.param(keys.map(String))}::bigint[])`

/** Rows after the cursor. Only columns without nulls can be sorted by. */
function after(table: ResourceTable, { cursor, sort }: Page & { cursor: Cursor }) {
  const column = columnOf(table, sort.field)
  const than = sort.descending ? sql`<` : sql`>`
  if (column === table.publicId) return sql`${table.publicId} ${than} ${cursor.publicId}`
  return sql`(${column}, ${table.publicId}) ${than} (${cursor.value}, ${cursor.publicId})`
}
