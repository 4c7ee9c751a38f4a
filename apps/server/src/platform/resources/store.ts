import { and, eq, getTableColumns, isNull, or, sql, type SQL } from 'drizzle-orm'
import { alias, type PgColumn } from 'drizzle-orm/pg-core'
import type { Database } from '../database/connect.ts'
import type { Principal } from '../http/principal.ts'
import { shown, type Values } from './codec.ts'
import type { SortTypes } from './page.ts'
import type { Resource, ResourceTable } from './resource.ts'

/** The rows a caller may touch. */
export type Scope = Pick<Principal, 'isPlatform' | 'accountId'>

export interface RowKey {
  readonly publicId: string
  readonly scope: Scope
}

/** The row with what its references show, deleted or not. */
export async function findRecord(
  db: Database,
  resource: Resource,
  key: RowKey,
): Promise<Values | undefined> {
  const [record] = await selectRecords(db, resource)
    .where(and(eq(resource.table.publicId, key.publicId), readableBy(resource, key.scope)))
    .limit(1)
  return record
}

/** Rows that are not deleted, in the order of their ids. */
export async function findRecords(
  db: Database,
  resource: Resource,
  { publicIds, scope }: { publicIds: readonly string[]; scope: Scope },
): Promise<Values[]> {
  const { table } = resource
  return selectRecords(db, resource)
    .where(
      and(
        sql`${table.publicId} = any (${sql.param([...publicIds])}::uuid[])`,
        table.deletedAt && isNull(table.deletedAt),
        readableBy(resource, scope),
      ),
    )
    .orderBy(table.publicId)
}

/** Locks the row until the transaction ends, so that a check and the change after it agree. */
export async function lockRow(db: Database, resource: Resource, key: RowKey): Promise<boolean> {
  const { table } = resource
  const rows = await db
    .select({ id: table.id })
    .from(table as never)
    .where(matches(table, key))
    .for('update')
  return rows.length === 1
}

export async function insertRow(db: Database, table: ResourceTable, row: Values): Promise<Values> {
  const rows = await db
    .insert(table)
    .values(row as never)
    .returning()
  return (rows as Values[])[0]!
}

/** Inserts many rows in a few statements, for imports. */
export async function insertRows(
  db: Database,
  table: ResourceTable,
  rows: readonly Values[],
): Promise<void> {
  const columns = Object.entries(getTableColumns(table)).filter(([field]) => field !== 'id')
  const used = columns.filter(([field]) => rows.some((row) => row[field] !== undefined))
  const names = sql.join(
    used.map(([, column]) => sql.identifier(column.name)),
    sql`, `,
  )

  for (let start = 0; start < rows.length; start += IMPORT_ROWS) {
    const records = rows
      .slice(start, start + IMPORT_ROWS)
      .map((row) =>
        Object.fromEntries(used.map(([field, column]) => [column.name, jsonValue(row[field])])),
      )
    await db.execute(sql`insert into ${table} (${names})
      select ${names} from json_populate_recordset(null::${table}, ${JSON.stringify(records)}::json)`)
  }
}

const IMPORT_ROWS = 5_000

const jsonValue = (value: unknown) => (typeof value === 'bigint' ? String(value) : value)

export async function updateRow(
  db: Database,
  table: ResourceTable,
  { id, changes }: { id: unknown; changes: Values },
): Promise<Values> {
  const rows = await db
    .update(table)
    .set({ ...changes, ...(table.version && { version: sql`${table.version} + 1` }) })
    .where(eq(table.id, id))
    .returning()
  return (rows as Values[])[0]!
}

export async function deleteRow(db: Database, table: ResourceTable, id: unknown): Promise<void> {
  await db.delete(table).where(eq(table.id, id))
}

/** Internal key and account of a row that a body names; not of a deleted one. */
export async function findReferenced(
  db: Database,
  table: ResourceTable,
  key: RowKey,
): Promise<{ id: bigint; accountId: bigint | null } | undefined> {
  const [row] = await db
    .select({ id: table.id, accountId: table.accountId ?? sql<bigint | null>`null` })
    .from(table as never)
    .where(and(matches(table, key), table.deletedAt && isNull(table.deletedAt)))
    .for('share')
  return row
}

/** Rows with what their references show. The caller adds the condition. */
export function selectRecords(db: Database, resource: Resource) {
  const { table, references } = resource
  const fields: Record<string, PgColumn> = { ...getTableColumns(table) }
  const joins = Object.entries(references).map(([field, reference]) => {
    const target = alias(reference.to, `${field}_row`) as unknown as ResourceTable
    fields[shown(field)] = target.publicId
    for (const [viewField, column] of Object.entries(reference.shows ?? {})) {
      fields[shown(viewField)] = columnOf(target, column)
    }
    return { target, on: eq(columnOf(table, field), target.id) }
  })

  const query = db
    .select(fields)
    .from(table as never)
    .$dynamic()
  for (const { target, on } of joins) query.leftJoin(target as never, on)
  return query
}

const matches = (table: ResourceTable, { publicId, scope }: RowKey) =>
  and(eq(table.publicId, publicId), within(table, scope))

const within = (table: ResourceTable, scope: Scope): SQL | undefined =>
  table.accountId && !scope.isPlatform ? eq(table.accountId, scope.accountId) : undefined

/** Rows a caller may read: its own, and those that name it as a further reader. */
export function readableBy({ table, readers = [] }: Resource, scope: Scope): SQL | undefined {
  if (scope.isPlatform) return undefined
  const columns = readers.map((field) => columnOf(table, field))
  return or(within(table, scope), ...columns.map((column) => eq(column, scope.accountId)))
}

export const columnTypesOf = (table: ResourceTable): SortTypes =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([field, { dataType }]) => [field, dataType]),
  )

export function columnOf(table: ResourceTable, field: string): PgColumn {
  const column = getTableColumns(table)[field]
  if (!column) throw new Error(`there is no column for ${field}`)
  return column
}
