import { drizzle } from 'drizzle-orm/node-postgres'
import { keepConnection } from '../changes/kept-connection.ts'
import type { Database } from '../database/connect.ts'
import type { Timers } from '../background/timers.ts'
import { OUTBOX_CHANNEL, tryLeaderLock } from './store.ts'

export interface LeaderLockOptions {
  readonly url: string
  /** Of all who ask for the same name one leads. */
  readonly name: string
  readonly timers: Timers
  /** Something was put into the outbox. */
  onNews(): void
  onError(error: unknown): void
}

export interface LeaderLock {
  /** Asks for the lead where nobody has it; true for as long as the connection lasts that got it. */
  isOurs(): Promise<boolean>
  stop(): Promise<void>
}

/** The lead over something in the whole fleet: a session lock in PostgreSQL that dies with its holder. */
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
