import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { StartRefused } from '../problem.ts'

/** This program's schema version. Raise it together with a migration that older nodes cannot run on. */
export const PROGRAM_SCHEMA_VERSION = 1

/** Folder of the product's migrations. */
export const MIGRATIONS = path.join(import.meta.dirname, '../../../migrations')

const MIGRATION_LOCK = 7_145_001
const OLDEST_POSTGRES = 150_000

export interface Migration {
  readonly name: string
  readonly sql: string
}

/** Reads `0001_what_it_does.sql` … in order. */
export async function readMigrations(folder: string): Promise<readonly Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_.+\.sql$/.test(file)).toSorted()
  return Promise.all(
    files.map(async (name) => ({ name, sql: await readFile(path.join(folder, name), 'utf8') })),
  )
}

/**
 * Applies missing migrations, each in its own transaction. An advisory lock serialises nodes that start
 * at the same time; the second finds nothing to do.
 */
export async function migrate(pool: pg.Pool, migrations: readonly Migration[]): Promise<string[]> {
  const client = await pool.connect()
  try {
    await refuseOldServer(client)
    await client.query('set statement_timeout = 0; set lock_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    try {
      return await applyMissing(client, migrations)
    } finally {
      await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
    }
  } finally {
    client.release(true)
  }
}

async function refuseOldServer(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query('show server_version_num')
  if (Number(rows[0].server_version_num) < OLDEST_POSTGRES) {
    throw new StartRefused('This PostgreSQL is too old: Placard needs version 15 or newer.')
  }
}

async function applyMissing(client: pg.PoolClient, migrations: readonly Migration[]) {
  await client.query(
    `create table if not exists migrations (
       name text primary key,
       minimum_program_version integer not null,
       applied_at timestamptz not null default now()
     )`,
  )
  const { rows } = await client.query('select name, minimum_program_version from migrations')
  refuseNewerSchema(rows)

  const applied = new Set(rows.map((row) => row.name))
  const missing = migrations.filter(({ name }) => !applied.has(name))
  for (const migration of missing) await applyOne(client, migration)
  return missing.map(({ name }) => name)
}

function refuseNewerSchema(rows: readonly { name: string; minimum_program_version: number }[]) {
  const needed = Math.max(0, ...rows.map((row) => row.minimum_program_version))
  if (needed <= PROGRAM_SCHEMA_VERSION) return
  throw new StartRefused(
    `The database needs a Placard of schema version ${needed}, this one has ${PROGRAM_SCHEMA_VERSION}: upgrade this node.`,
  )
}

async function applyOne(client: pg.PoolClient, { name, sql }: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(sql)
    await client.query('insert into migrations (name, minimum_program_version) values ($1, $2)', [
      name,
      minimumProgramVersion(sql),
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new StartRefused(`Migration ${name} failed: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** Ordinary, expanding migrations name no version, so old and new nodes can run side by side. */
function minimumProgramVersion(sql: string): number {
  return Number(/^-- minimum-program-version: (\d+)$/m.exec(sql)?.[1] ?? 1)
}
