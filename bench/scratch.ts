import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect, type Connection } from '../apps/server/src/platform/database/connect.ts'
import { startEmbedded } from '../apps/server/src/platform/database/embedded.ts'
import {
  migrate,
  MIGRATIONS,
  readMigrations,
} from '../apps/server/src/platform/database/migrate.ts'

export const say = (message: string) => console.error(message)

export interface Scratch extends Connection {
  /** A folder that is deleted after the benchmark. */
  readonly folder: string
  readonly url: string
  /** A second connection, for a caller that wants to see its statements. */
  watch(onQuery: (text: string, parameters: unknown[]) => void): Connection
}

/** Runs on a temporary PostgreSQL with our schema. */
export async function onScratchDatabase<Result>(
  work: (scratch: Scratch) => Promise<Result>,
  settings: readonly string[] = [],
): Promise<Result> {
  const stack = new AsyncDisposableStack()
  try {
    const folder = await mkdtemp(path.join(tmpdir(), 'placard-bench-'))
    stack.defer(() => rm(folder, { recursive: true, force: true }))
    const server = await startEmbedded({
      folder: path.join(folder, 'postgres'),
      settings,
      progress: say,
    })
    stack.defer(() => server.stop())
    const open = (onQuery?: Parameters<Scratch['watch']>[0]) => {
      const options = { url: server.url, connectionsMax: 4, statementTimeoutMs: 600_000 }
      const connection = connect({ ...options, ...(onQuery && { onQuery }) })
      stack.defer(() => connection.close())
      return connection
    }
    const connection = open()
    await migrate(connection.pool, await readMigrations(MIGRATIONS))
    return await work({ ...connection, folder, url: server.url, watch: open })
  } finally {
    await stack.disposeAsync()
  }
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** The smallest value that is at least as large as this share of all values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

export const rounded = (value: number, digits = 1) => Number(value.toFixed(digits))
