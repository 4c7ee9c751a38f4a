import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import { Pool, type PoolClient } from 'pg'
import { failureOf } from './failure.ts'

/** The pool or an open transaction: store functions work with both. */
export type Database = PgDatabase<NodePgQueryResultHKT>

export interface Connection {
  readonly db: Database
  readonly pool: Pool
  close(): Promise<void>
}

export interface ConnectOptions {
  readonly url: string
  readonly connectionsMax: number
  readonly statementTimeoutMs: number
  /** A connection broke, idle or busy. The pool replaces it; operators should hear of it. */
  onLost?(error: Error): void
  /** Gets every statement before it runs, for EXPLAIN. */
  onQuery?(text: string, parameters: unknown[]): void
}

export function connect(options: ConnectOptions): Connection {
  const pool = new Pool({
    connectionString: options.url,
    max: options.connectionsMax,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: options.statementTimeoutMs,
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'placard',
  })
  // The pool only listens to idle connections. Without this listener, a broken busy one would end the process.
  pool.on('connect', (client) => client.on('error', (error) => options.onLost?.(error)))
  pool.on('error', () => {})
  return { db: databaseOn(pool, options), pool, close: () => pool.end() }
}

const clients = new WeakMap<Database, PoolClient>()

/** The client of an open transaction, for what the query builder cannot express. */
export function clientOf(transaction: Database): PoolClient {
  const client = clients.get(transaction)
  if (client === undefined) throw new Error('only a transaction has a connection of its own')
  return client
}

/**
 * Drizzle never releases a connection on which "begin" fails: the pool would lose one for good. We
 * release each one, and close a broken one so that nobody gets it again.
 */
function databaseOn(pool: Pool, { onQuery }: ConnectOptions): Database {
  const config = onQuery ? { logger: { logQuery: onQuery } } : {}
  const db: Database = drizzle(pool, config)
  db.transaction = async (work, isolation) => {
    const client = await pool.connect()
    let isLost = false
    try {
      return await drizzle(client, config).transaction((open) => {
        clients.set(open, client)
        return work(open)
      }, isolation)
    } catch (error) {
      isLost = failureOf(error) === 'unavailable'
      throw error
    } finally {
      client.release(isLost)
    }
  }
  return db
}
