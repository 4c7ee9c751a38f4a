import path from 'node:path'
import { StartRefused } from '../problem.ts'
import { connect, type Connection, type ConnectOptions } from './connect.ts'
import { type EmbeddedOptions, startEmbedded } from './embedded.ts'

export interface OpenOptions
  extends Omit<ConnectOptions, 'url'>, Pick<EmbeddedOptions, 'onEnd' | 'onStartedAgain'> {
  readonly url: string | undefined
  /** Folder of the embedded cluster, used without a URL. */
  readonly home: string
  progress(message: string): void
}

export interface OpenDatabase extends Connection {
  readonly url: string
}

/** Connects to the given PostgreSQL, or starts our own; closing stops it. */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  if (options.url) return connectTo(options.url, options)

  const { home, progress, onEnd, onStartedAgain } = options
  const embedded = await startEmbedded({
    folder: path.resolve(home, 'postgres'),
    progress,
    ...(onEnd && { onEnd }),
    ...(onStartedAgain && { onStartedAgain }),
  })
  try {
    const connection = await connectTo(embedded.url, options)
    return {
      ...connection,
      async close() {
        await connection.close()
        await embedded.stop()
      },
    }
  } catch (error) {
    await embedded.stop()
    throw error
  }
}

async function connectTo(url: string, options: OpenOptions): Promise<OpenDatabase> {
  const connection = connect({ ...options, url })
  try {
    await connection.pool.query('select 1')
  } catch (error) {
    await connection.close()
    const { hostname, port } = new URL(url)
    throw new StartRefused(
      `The database at ${hostname}:${port || 5432} cannot be used (${reasonOf(error)}); check DATABASE_URL.`,
      { cause: error },
    )
  }
  return { ...connection, url }
}

function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  return message || code || 'no answer'
}
