import { drizzle } from 'drizzle-orm/node-postgres'
import { keepConnection } from '../changes/kept-connection.ts'
import type { Database } from '../database/connect.ts'
import type { Timers } from '../background/timers.ts'
import { OUTBOX_CHANNEL, tryLeaderLock } from './store.ts'

export interface LeaderLockOptions {
  readonly url: string
  /** Of all processes that ask for the same name, one leads. */
  readonly name: string
  readonly timers: Timers
  /** Called when something was written to the outbox. */
  onNews(): void
  onError(error: unknown): void
}

export interface LeaderLock {
  /** Tries to take the lock if it is free; true while the connection that holds it lasts. */
  isOurs(): Promise<boolean>
  stop(): Promise<void>
}

/** Leadership of one task in the fleet: a session lock in PostgreSQL that ends with its holder. */
export function askForLeaderLock({
  url,
  name,
  timers,
  onNews,
  onError,
}: LeaderLockOptions): LeaderLock {
  let session: { readonly db: Database; leads: boolean } | undefined
  const connection = keepConnection({
    url,
    timers,
    onError,
    applicationName: `placard-${name}`,
    async onConnected(client) {
      client.on('notification', onNews)
      await client.query(`listen ${OUTBOX_CHANNEL}`)
      session = { db: drizzle(client), leads: false }
    },
    onLost: () => (session = undefined),
  })
  return {
    async isOurs() {
      if (!session) return false
      session.leads ||= await tryLeaderLock(session.db, name)
      return session?.leads ?? false
    },
    stop: () => connection.stop(),
  }
}
