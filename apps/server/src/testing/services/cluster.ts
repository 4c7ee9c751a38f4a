import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { connect } from '../../platform/database/connect.ts'
import { startEmbedded } from '../../platform/database/embedded.ts'
import { migrate, readMigrations } from '../../platform/database/migrate.ts'
import { MIGRATIONS, TEMPLATE, urlOf } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    clusterUrl: string
  }
}

/** Keeps the cluster's files in memory, where cloning a template takes a tenth of the time. */
const MEMORY = '/dev/shm'

/** One PostgreSQL for the whole run. Each test's database is cloned from a migrated template. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'placard-test-'))
  const server = await startEmbedded({
    folder,
    settings: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_wal_size=4GB'],
    progress: () => {},
  })

  const admin = connect({ url: server.url, connectionsMax: 1, statementTimeoutMs: 30_000 })
  await admin.pool.query(`create database ${TEMPLATE}`)
  const template = connect({
    url: urlOf(server.url, TEMPLATE),
    connectionsMax: 1,
    statementTimeoutMs: 30_000,
  })
  await migrate(template.pool, await readMigrations(MIGRATIONS))
  await template.close()
  await admin.close()
  project.provide('clusterUrl', server.url)

  return async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
