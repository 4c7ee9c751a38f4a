import { getTableConfig, type PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { freshDatabase, MIGRATIONS } from '../../testing/services/database.ts'
import { describeSchema } from './describe.ts'

test('schema.sql is what the migrations make; "npm run generate" writes it anew', async () => {
  const { pool } = await freshDatabase()

  const committed = await readFile(path.join(MIGRATIONS, 'schema.sql'), 'utf8')

  expect(committed).toBe(await describeSchema(pool))
})

/** Tables of the database that no file declares, and why. */
const UNDECLARED: Readonly<Record<string, string>> = {
  migrations: 'the migrator makes it and reads it before anything else is there',
}

test('every table is declared once, and what is declared is there', async () => {
  const { pool } = await freshDatabase()
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class c
     where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not relispartition`,
  )

  const declared = (await programTables()).map((table) => getTableConfig(table).name)

  expect([...declared, ...Object.keys(UNDECLARED)].toSorted()).toEqual(
    rows.map(({ name }) => name).toSorted(),
  )
})

test('every table of the program has the columns of the database, of the same types, and no other', async () => {
  const { pool } = await freshDatabase()
  const { rows } = await pool.query<{ table: string } & Column>(
    `select relname as table, attname as name, attnotnull as "notNull",
            format_type(atttypid, atttypmod) as type
     from pg_class c join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )

  for (const table of await programTables()) {
    const { name, columns } = getTableConfig(table)
    const actual = rows.filter((row) => row.table === name)
    expect
      .soft(columns.map(declaredColumn).toSorted(byName), name)
      .toEqual(actual.map(({ name, notNull, type }) => ({ name, notNull, type })).toSorted(byName))
  }
})

interface Column {
  readonly name: string
  readonly notNull: boolean
  readonly type: string
}

const declaredColumn = (column: PgColumn): Column => ({
  name: column.name,
  notNull: column.notNull,
  type: column
    .getSQLType()
    .replace(', ', ',')
    .replace(/^time$/, 'time without time zone'),
})

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)

async function programTables(): Promise<PgTable[]> {
  const root = path.join(import.meta.dirname, '../..')
  const found: PgTable[] = []
  for await (const file of glob(['**/tables.ts', '**/kept-answers.ts'], { cwd: root })) {
    const module: Record<string, unknown> = await import(path.join(root, file))
    found.push(...Object.values(module).filter((value) => value instanceof PgTable))
  }
  return found
}
