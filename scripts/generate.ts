import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect } from '../apps/server/src/platform/database/connect.ts'
import { describeSchema } from '../apps/server/src/platform/database/describe.ts'
import { startEmbedded } from '../apps/server/src/platform/database/embedded.ts'
import { migrate, readMigrations } from '../apps/server/src/platform/database/migrate.ts'
import { envExample, settingsReference } from '../apps/server/src/settings-reference.ts'

const ROOT = path.join(import.meta.dirname, '..')
const MIGRATIONS = path.join(ROOT, 'apps/server/migrations')

/** Writes anew what is made from the code; the tests fail while a committed file differs. */
async function generate(): Promise<void> {
  await writeFile(path.join(ROOT, '.env.example'), envExample())
  await writeFile(path.join(ROOT, 'docs/reference/settings.md'), settingsReference())

  const folder = await mkdtemp(path.join(tmpdir(), 'placard-generate-'))
  const server = await startEmbedded({ folder, settings: ['fsync=off'], progress: () => {} })
  const connection = connect({ url: server.url, connectionsMax: 2, statementTimeoutMs: 30_000 })
  try {
    await migrate(connection.pool, await readMigrations(MIGRATIONS))
    await writeFile(path.join(MIGRATIONS, 'schema.sql'), await describeSchema(connection.pool))
  } finally {
    await connection.close()
    await server.stop()
    await rm(folder, { recursive: true })
  }
  console.log(
    'Wrote .env.example, docs/reference/settings.md and apps/server/migrations/schema.sql',
  )
}

await generate()
