import { expect, test } from 'vitest'
import { freshDatabase, MIGRATIONS } from '../../testing/services/database.ts'
import { migrate, readMigrations } from './migrate.ts'

test('a second run of the migrations changes nothing', async () => {
  const { pool } = await freshDatabase()

  expect(await migrate(pool, await readMigrations(MIGRATIONS))).toEqual([])
})

test('nodes that start together apply each migration once', async () => {
  const { pool } = await freshDatabase('template1')
  const migrations = await readMigrations(MIGRATIONS)

  const applied = await Promise.all([1, 2, 3].map(() => migrate(pool, migrations)))

  expect(applied.flat()).toEqual(migrations.map(({ name }) => name))
})

test('a program refuses a schema whose minimum program version is above its own', async () => {
  const { pool } = await freshDatabase()
  const migrations = await readMigrations(MIGRATIONS)
  const breaking = { name: '9999_breaking.sql', sql: '-- minimum-program-version: 2\nselect 1' }
  await migrate(pool, [...migrations, breaking])

  await expect(migrate(pool, migrations)).rejects.toThrow('upgrade this node')
})

test('a migration that fails leaves nothing of itself behind', async () => {
  const { pool } = await freshDatabase()
  const broken = { name: '9999_broken.sql', sql: 'create table half (id int); select 1 / 0' }

  await expect(migrate(pool, [broken])).rejects.toThrow('9999_broken.sql')

  const { rows } = await pool.query("select to_regclass('half') as half")
  expect(rows).toEqual([{ half: null }])
})
