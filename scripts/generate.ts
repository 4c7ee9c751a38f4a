import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect, type Connection } from '../apps/server/src/platform/database/connect.ts'
import { describeSchema } from '../apps/server/src/platform/database/describe.ts'
import { startEmbedded } from '../apps/server/src/platform/database/embedded.ts'
import { migrate, readMigrations } from '../apps/server/src/platform/database/migrate.ts'
import { openApiReference } from '../apps/server/src/reference/openapi.ts'
import { problemsReference } from '../apps/server/src/reference/problems.ts'
import { envExample, settingsReference } from '../apps/server/src/reference/settings.ts'
import { buildTag } from './build-pages.mjs'
import { type ApiDescription, clientOperations, clientRoutes } from './client-operations.ts'

const ROOT = path.join(import.meta.dirname, '..')
const MIGRATIONS = path.join(ROOT, 'apps/server/migrations')

/** Writes all generated files. Tests fail while a committed file differs. */
async function generate(): Promise<void> {
  await write('.env.example', envExample())
  await write('docs/reference/settings.md', settingsReference())
  await write('docs/reference/problems.md', await problemsReference())
  buildTag()
  await onMigrated(async (connection) => {
    await write('apps/server/migrations/schema.sql', await describeSchema(connection.pool))
    const openApi = await openApiReference(connection)
    const api = JSON.parse(openApi) as ApiDescription
    await write('docs/reference/openapi.json', openApi)
    await write('packages/client/src/generated/routes.ts', clientRoutes(api))
    await write('packages/client/src/generated/operations.ts', clientOperations(api))
  })
}

async function write(file: string, text: string): Promise<void> {
  await writeFile(path.join(ROOT, file), text)
  console.log(`Wrote ${file}`)
}

/** Runs the work on a database with the migrations and no rows. */
async function onMigrated(
  work: (connection: Connection & { url: string }) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'placard-generate-'))
  const { url, stop } = await startEmbedded({
    folder,
    settings: ['fsync=off'],
    progress: () => {},
  })
  const connection = connect({ url, connectionsMax: 5, statementTimeoutMs: 30_000 })
  try {
    await migrate(connection.pool, await readMigrations(MIGRATIONS))
    await work({ ...connection, url })
  } finally {
    await connection.close()
    await stop()
    await rm(folder, { recursive: true })
  }
}

await generate()
