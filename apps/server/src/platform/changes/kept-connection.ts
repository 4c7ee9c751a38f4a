import { Client } from 'pg'
import type { Timers } from '../background/timers.ts'
import type { Backoff } from '../background/backoff.ts'
import { startLoop } from '../background/loop.ts'

export interface KeptConnectionOptions {
  readonly url: string
  readonly applicationName: string
  readonly timers: Timers
  readonly backoff?: Backoff
  /** Called on the first connection and after every reconnect. */
  onConnected(client: Client): Promise<void> | void
  /** Called when a connection that was passed to `onConnected` is gone. */
  onLost?(): void
  onError(error: unknown): void
}

export interface KeptConnection {
  stop(): Promise<void>
}

const BACKOFF = { firstMs: 100, maxMs: 10_000 }

/** A dedicated connection for session state (LISTEN, locks). Reconnects when it breaks. */
export function keepConnection(options: KeptConnectionOptions): KeptConnection {
  const { url, applicationName, timers, backoff = BACKOFF, onConnected, onError } = options
  let current: Client | undefined

  const loop = startLoop({
    timers,
    backoff,
    onError,
    async iterate() {
      const client = new Client({
        connectionString: url,
        application_name: applicationName,
        connectionTimeoutMillis: 5_000,
        statement_timeout: 30_000,
        keepAlive: true,
      })
      current = client
      const lost = new Promise<void>((resolve) => {
        client.once('end', resolve)
      })
      client.on('error', onError)
      try {
        // A client ended while it connects never reports the outcome.
        const isOpen = await Promise.race([
          client.connect().then(() => true),
          lost.then(() => false),
        ])
        if (isOpen) await onConnected(client)
      } catch (error) {
        await client.end().catch(() => {})
        throw error
      }
      await lost
      options.onLost?.()
      return backoff.firstMs
    },
  })

  return {
    async stop() {
      const stopped = loop.stop()
      await current?.end().catch(() => {})
      await stopped
    },
  }
}
