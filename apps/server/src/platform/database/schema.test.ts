import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { freshDatabase, MIGRATIONS } from '../../testing/database.ts'
import { describeSchema } from './describe.ts'

test('schema.sql is what the migrations make; "npm run generate" writes it anew', async () => {
  const { pool } = await freshDatabase()

  const committed = await readFile(path.join(MIGRATIONS, 'schema.sql'), 'utf8')

  expect(committed).toBe(await describeSchema(pool))
})

test('every table of the program has the columns of the database, and no other', async () => {
  const { pool } = await freshDatabase()
  const { rows } = await pool.query<{ table: string; column: string; notNull: boolean }>(
    `select table_name as table, column_name as column, is_nullable = 'NO' as "notNull"
     from information_schema.columns where table_schema = 'public'`,
  )

  for (const table of await programTables()) {
    const { name, columns } = getTableConfig(table)
    const actual = rows.filter((row) => row.table === name)
    expect
      .soft(columns.map(({ name, notNull }) => ({ name, notNull })).toSorted(byName), name)
      .toEqual(actual.map(({ column, notNull }) => ({ name: column, notNull })).toSorted(byName))
  }
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
